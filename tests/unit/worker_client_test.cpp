// The client against a worker made of a few lines of shell, which answers, lies, dies or hangs as it is told.
#include <doctest/doctest.h>
#include <poll.h>
#include <sys/stat.h>

#include "core/error.hpp"
#include "core/labs/lab.hpp"
#include "core/paths.hpp"
#include "fixture_labs.hpp"
#include "run/worker/worker.hpp"
#include "run/worker/worker_protocol.hpp"
#include "shell.hpp"

using namespace dojo;
using namespace dojo::run;

namespace {

constexpr const char* script = R"sh(#!/bin/bash
if [ "$2" = --compile ]; then
  trap 'exec <&- >&-; sleep 60 & wait' TERM
  sleep 1000 >/dev/null & wait
  exit 0
fi
while read -r line; do
  id=$(sed -nE 's/.*"id":([0-9]+).*/\1/p' <<<"$line")
  [ -z "$line" ] && continue
  case $line in
    *cancel*)
      message='"message":"the run was cancelled"'
      [ -n "$obedient" ] && echo '{"event":"failed","id":'$last',"exit_status":130,'"$message}" ;;
    *good*)
      report='"report":{"schema":"warpdojo/report/1","step":'
      echo 'noise, no JSON'
      echo '{"event":"progress","id":'$id',"who":"student","phase":"run","fraction":0.5}'
      echo '{"event":"report","id":999,"exit_status":9,'"$report"'"other"}}'
      echo '{"event":"report","id":'$id',"exit_status":1,'"$report"'"good"}}' ;;
    *crash*)
      echo '{"event":"progress","id":'$id',"who":"student","phase":"run","fraction":0.5}'
      kill -SEGV $$ ;;
    *usage*) echo '{"event":"failed","id":'$id',"exit_status":2,"message":"no such step"}' ;;
    *obey*) obedient=1; last=$id ;;
    *hang*) sleep 1000 ;;
    *ends_compiler*)
      kill -TERM "$WARPDOJO_COMPILER"
      sleep 0.3
      echo '{"event":"failed","id":'$id',"exit_status":130,"message":"the run was cancelled"}' ;;
    *compiler*)
      report='"report":{"schema":"warpdojo/report/1","step":'
      echo '{"event":"report","id":'$id',"exit_status":0,'"$report"'"'"$WARPDOJO_COMPILER"'"}}' ;;
  esac
done
)sh";

struct WorkerBench {
  test::TempFolder t;
  WorkerClient client;
  WorkerBench() : client(make()) {}
  std::string make() {
    const auto p = t.write("worker.sh", script);
    chmod(p.c_str(), 0700);
    return p.string();
  }
  void start(const std::string& step) {
    RunRequest r;
    r.step = step;
    client.start(r);
  }
  /// The event that ends the request.
  WorkerEvent last(int* progress = nullptr) {
    for (int k = 0; k < 500; ++k) {
      auto e = client.wait(std::chrono::milliseconds(100));
      if (!e) continue;
      if (e->kind != WorkerEvent::progress) return *e;
      if (progress) ++*progress;
    }
    FAIL("no answer");
    return {};
  }
};

}  // namespace

TEST_CASE("a worker's report comes through, past noise and answers to other requests") {
  WorkerBench b;
  CHECK(!b.client.busy());
  CHECK(!b.client.poll());
  b.start("good");
  CHECK(b.client.busy());
  CHECK_THROWS_AS(b.start("good"), Error);
  const WorkerEvent e = b.last();
  CHECK(e.kind == WorkerEvent::report);
  CHECK(e.exit_status == 1);
  CHECK(e.report_.step == "good");
  CHECK(!b.client.busy());
  b.start("usage");
  const WorkerEvent f = b.last();
  CHECK(f.kind == WorkerEvent::failed);
  CHECK(f.text == "no such step");
}

TEST_CASE("a worker that crashes is an event, and the next request gets a new one") {
  WorkerBench b;
  b.start("crash");
  const WorkerEvent e = b.last();
  CHECK(e.kind == WorkerEvent::died);
  CHECK(e.exit_status == 71);
  CHECK(e.text.find("Segmentation fault") != std::string::npos);
  REQUIRE(e.report_.runs.size() == 1);
  CHECK(e.report_.step == "crash");
  CHECK(e.report_.runs[0].status == Status::crash);
  b.start("good");
  CHECK(b.last().kind == WorkerEvent::report);
}

TEST_CASE("cancel: a worker that obeys stays, one that doesn't is ended within about a second") {
  WorkerBench b;
  b.start("obey");
  b.client.cancel();
  CHECK(b.last().exit_status == 130);
  b.start("hang");
  b.client.cancel();
  b.client.cancel();
  const WorkerEvent e = b.last();
  CHECK(e.kind == WorkerEvent::failed);
  CHECK(e.exit_status == 130);
  b.start("good");
  CHECK(b.last().kind == WorkerEvent::report);
}

TEST_CASE("a compiler that a cancelled run has ended is replaced for the next run, while it is dying still") {
  WorkerBench b;
  auto compiler = [&] {
    b.start("compiler");
    return b.last().report_.step;
  };
  const std::string first = compiler();
  REQUIRE(!first.empty());
  CHECK(compiler() == first);
  b.start("ends_compiler");
  CHECK(b.last().exit_status == 130);
  CHECK(compiler() != first);
}

TEST_CASE("the descriptor is readable while events wait") {
  WorkerBench b;
  b.start("usage");
  pollfd p{b.client.descriptor(), POLLIN, 0};
  CHECK(::poll(&p, 1, 20000) == 1);
  CHECK(b.last().kind == WorkerEvent::failed);
  CHECK(::poll(&p, 1, 0) == 0);
}

TEST_CASE("a client that goes away in the middle of a run leaves nothing behind") {
  WorkerBench b;
  b.start("hang");
}

TEST_CASE("a program that can't be started is an error") {
  WorkerClient c("/nowhere/warpdojo");
  RunRequest r;
  const auto open = [] {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  };
  CHECK_THROWS_AS(c.start(r), Error);
  const auto before = open();
  CHECK_THROWS_WITH_AS(c.start(r), "cannot start /nowhere/warpdojo: No such file or directory", Error);
  CHECK(open() == before);
  CHECK_FALSE(c.busy());
}

TEST_CASE("a cancel that is read before its request's work begins is not lost") {
  const test::TempFolder t;
  PlayRequest r;
  r.file = t.write("p.cu",
                   "__global__ void k(int* p) {\n  while (atomicAdd(p, 0) == 0) {}\n}\n"
                   "int main() {\n  int* p;\n  cudaMalloc(&p, 4);\n  cudaMemset(p, 0, 4);\n"
                   "  k<<<1, 1>>>(p);\n  cudaDeviceSynchronize();\n}\n")
               .string();
  r.time_limit_s = 20;
  t.write("requests", encode(r, 1) + "\n" + encode_cancel() + "\n");
  const test::Shell s =
      test::shell(t, find_root().string(), "$W worker <'" + (t.path / "requests").string() + "'");
  CHECK(s.out.find("\"exit_status\":130") != std::string::npos);
}

TEST_CASE("requests and events survive the wire") {
  RunRequest r;
  r.step = "reduce/5";
  r.student_file = "a \"b\".cu";
  r.who = Who::reference;
  r.size = {{"n", int64_t(1) << 40}};
  r.seed = ~uint64_t(0);
  r.blocks = true;
  const WireRequest w = decode_request(encode(r, 42));
  CHECK(w.id == 42);
  CHECK(w.run_.student_file == r.student_file);
  CHECK(w.run_.who == Who::reference);
  CHECK(w.run_.size == r.size);
  CHECK(w.run_.seed == r.seed);
  CHECK(w.run_.blocks);
  PlayRequest p;
  p.file = "x.cu";
  p.args = {"a", ""};
  CHECK(decode_request(encode(p, 1)).play_.args == p.args);
  CHECK(decode_request(encode_cancel()).kind == WireRequest::cancel);
  for (const char* bad : {"", "x", "{}", "{\"request\":\"dance\"}", "{\"request\":\"run\"}",
                          "{\"request\":\"run\",\"step\":\"a\",\"who\":\"nobody\"}"})
    CHECK_THROWS_AS(decode_request(bad), Error);
  Compiled c;
  c.ok = true;
  c.ptx = ".version 9.0\n";
  c.managed_variables = {"m"};
  c.diagnostics.emplace_back().message = "careful";
  uint64_t id = 0;
  const auto back = decode_compiled(encode(c, 9), &id);
  REQUIRE(back);
  CHECK(id == 9);
  CHECK(back->ptx == c.ptx);
  CHECK(back->managed_variables == c.managed_variables);
  CHECK(back->diagnostics.at(0).message == "careful");
}
