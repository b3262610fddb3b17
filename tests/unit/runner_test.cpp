#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "../left_out.hpp"
#include "../near.hpp"
#include "core/error.hpp"
#include "core/paths.hpp"
#include "run/recordings/recording.hpp"
#include "run/reference_cache.hpp"
#include "run/runner.hpp"
#include "run/step/step_runner.hpp"
#include "runner_bench.hpp"
#include "shell.hpp"

using namespace dojo;
using namespace dojo::run;
using dojo::test::RunnerBench;
using dojo::test::TempFolder;

TEST_CASE("the runner gives each kind of program its status") {
  RunnerBench b;
  CHECK(b.status("ok") == Status::pass);
  CHECK(b.status("MANY") == Status::gate_failed);
  CHECK(b.status("WRONG") == Status::wrong);
  CHECK(b.status("UNWRITTEN") == Status::wrong);
  CHECK(b.status("CHANGES") == Status::wrong);
  CHECK(b.status("SYNTAX") == Status::compile_error);
  CHECK(b.status("NO_ENTRY") == Status::compile_error);
  CHECK(b.status("LEAK") == Status::pass);
  CHECK(b.status("RACE") == Status::finding);
  CHECK(b.status("FREES") == Status::finding);
  CHECK(b.status("DEADLOCK") == Status::finding);
  CHECK(b.status("ENDLESS") == Status::timeout);
}

TEST_CASE("after a kernel that never ends nothing else is asked of a GPU") {
  RunnerBench b;
  test::executions = 0;
  const Report r = b.run("ENDLESS", Who::both, "demo/1", {}, "fake:gpu");
  REQUIRE(r.runs.size() == 1);
  CHECK(r.runs[0].status == Status::timeout);
  CHECK(r.runs[0].diagnostics.back().message.starts_with("The reference was not run"));
  CHECK(test::executions == 1);
  CHECK(b.run("ok", Who::both, "demo/1", {}, "fake:gpu").runs.size() == 2);
}

TEST_CASE("of several things wrong, the first in the command line's order is the status") {
  RunnerBench b;
  CHECK(b.status("WRONG RACE") == Status::finding);
  CHECK(b.status("RACE ENDLESS") == Status::timeout);
  CHECK(b.status("MANY WRONG") == Status::wrong);
}

TEST_CASE("a wrong result names the element, what was expected and who wrote it") {
  RunnerBench b;
  const RunReport r = b.run("WRONG").runs.at(0);
  REQUIRE(r.check.mismatches.size() == 1);
  const Mismatch& m = r.check.mismatches[0];
  CHECK(m.buffer == "out");
  CHECK(m.index == 3);
  CHECK(m.got == 1e9f);
  CHECK(m.block == Dim3{2, 0, 0});
  CHECK(m.thread == Dim3{7, 0, 0});
  CHECK(r.gates.empty());
}

TEST_CASE("changed inputs are noticed") {
  RunnerBench b;
  CHECK(b.run("CHANGES").runs.at(0).inputs_changed);
  CHECK(!b.run("fine").runs.at(0).inputs_changed);
}

TEST_CASE("the figures follow from time and bytes") {
  RunnerBench b;
  const RunReport r = b.run("ok").runs.at(0);
  CHECK(r.bytes == 8 * 64);
  CHECK(r.gbps == dojo::tolerance::within(8 * 64 / 10.0 * 1e-3));
  CHECK(r.pct_of_peak_bandwidth == dojo::tolerance::within(r.gbps));
  CHECK(r.launches.size() == 1);
}

TEST_CASE("gates may look at the previous step's reference") {
  RunnerBench b;
  b.t.write("reference/01-demo/1-first.cu", "// MANY");
  CHECK(b.status("fast", "demo/2") == Status::pass);  // 50 <= 0.6 * 1000
  b.t.write("reference/01-demo/1-first.cu", "// few");
  const RunReport r = b.run("fast", Who::student, "demo/2").runs.at(0);
  CHECK(r.status == Status::gate_failed);
  CHECK(r.gates.at(0).value == 50);
  CHECK(r.gates.at(0).bound == dojo::tolerance::within(30));
}

TEST_CASE("gates are judged at the size that lab.toml names, whatever size is run") {
  RunnerBench b;
  const Report r = b.run("ok", Who::student, "demo/1", {{"n", 7}});
  CHECK(r.size == Size{{"n", 7}});
  CHECK(r.runs.at(0).gates.size() == 1);
  CHECK(r.runs.at(0).launches.at(0).grid.x == 1);
}

TEST_CASE("default bounds are judged with the reference shown and without it") {
  RunnerBench b;
  const std::string bound = "default: time_us <= 10 * reference(self) + 20";
  for (const Who who : {Who::student, Who::both}) {
    const RunReport r = b.run("SLOW", who).runs.at(0);
    CHECK(r.status == Status::gate_failed);
    REQUIRE(!r.gates.empty());
    CHECK(r.gates.back().name == bound);
    CHECK(r.gates.back().bound == dojo::tolerance::within(10 * 10 + 20));
    CHECK(b.run("ok", who).runs.at(0).status == Status::pass);
  }
  dojo::run::RunRequest graded;  // the grader judges them by itself
  graded.step = "demo/1";
  b.t.write("student.cu", "SLOW");
  graded.student_file = (b.t.path / "student.cu").string();
  graded.who = Who::student;
  graded.default_bounds = false;
  CHECK(dojo::run::run_step(b.catalog, graded).runs.at(0).status == Status::pass);
}

TEST_CASE("a result that is wrong only where the gates are judged says where") {
  RunnerBench b;
  const RunReport r = b.run("WRONG", Who::student, "demo/1", {{"n", 3}}).runs.at(0);  // element 3 is
  CHECK(r.status == Status::wrong);
  CHECK(r.check.wrong == 1);
  CHECK_MESSAGE(r.check.tolerance_note.ends_with("where the gates are judged"), r.check.tolerance_note);
}

TEST_CASE("a bug that shows only at the small check size is found") {
  RunnerBench b;
  CHECK(b.status("SMALL_ONLY") == Status::pass);
  Step& step = b.catalog.labs[0].steps[0];
  for (const size_t before : {0, 1, 2}) {  // sizes that are checked before the one at which it shows
    step.check_size = {{"n", before == 0 ? 5 : 12}};
    step.also_check.clear();
    if (before == 2) step.also_check.push_back({{"n", 13}});
    if (before > 0) step.also_check.push_back({{"n", 5}});
    const RunReport r = b.run("SMALL_ONLY").runs.at(0);
    CHECK(r.status == Status::finding);
    CHECK(r.diagnostics.at(0).message.find("n=5") != std::string::npos);
  }
}

TEST_CASE("a reference's report is kept, and a changed file is run again") {
  RunnerBench b;
  const int before = test::executions;
  b.run("ok", Who::reference);
  CHECK(test::executions == before + 1);
  const Report again = b.run("ok", Who::reference);
  CHECK(test::executions == before + 1);
  CHECK(again.runs.at(0).who == "reference");
  CHECK(again.runs.at(0).gates.size() == 1);
  b.t.write("reference/01-demo/1-first.cu", "// another");
  b.run("ok", Who::reference);
  CHECK(test::executions == before + 2);
  b.run("ok", Who::reference, "demo/1", {{"n", 9}});
  CHECK(test::executions == before + 3);  // the gates' size was kept already
}

TEST_CASE("a reference's report is of its device's file: a changed one is another key") {
  RunnerBench b;
  const Step& step = b.catalog.labs.at(0).steps.at(0);
  ReportDevice device;
  device.name = "simt:gpu";
  const char* before = std::getenv("WARPDOJO_ROOT");
  const std::string root = before ? before : "";
  auto key = [&](const char* text) {
    b.t.write("assets/devices/gpu.toml", text);
    setenv("WARPDOJO_ROOT", b.t.path.c_str(), 1);
    return cache_key(b.catalog, step, "source", device, {}, 1, false, false);
  };
  const std::string slow = key("[latency]\nl2 = 300\n"), fast = key("[latency]\nl2 = 200\n"),
                    again = key("[latency]\nl2 = 300\n");
  before ? setenv("WARPDOJO_ROOT", root.c_str(), 1) : unsetenv("WARPDOJO_ROOT");
  CHECK(slow != fast);
  CHECK(slow == again);
}

TEST_CASE("a reference's report that was estimated is of no use once ptxas is installed") {
  RunnerBench b;
  const Step& step = b.catalog.labs.at(0).steps.at(0);
  const char* before = std::getenv("CUDAToolkit_ROOT");
  const std::string root = before ? before : "";
  setenv("CUDAToolkit_ROOT", b.t.path.c_str(), 1);
  const auto key = [&] { return cache_key(b.catalog, step, "source", {}, {}, 1, false, false); };
  const std::string without = key();
  b.t.write("bin/ptxas", "an assembler");
  const std::string with = key();
  before ? setenv("CUDAToolkit_ROOT", root.c_str(), 1) : unsetenv("CUDAToolkit_ROOT");
  CHECK(without != with);
}

TEST_CASE("without ptxas a gate that the reference misses is not judged, and a note says so") {
  if (needs::left_out_without("clang-19")) return;
  TempFolder t;
  const fs::path cuda = t.path / "cuda";  // a toolkit without ptxas
  fs::create_directories(cuda);
  // The lab with a gate that its reference misses on any machine: references of the labs miss none.
  const fs::path lab = "labs/01-reduce", own = t.path / "tree";
  fs::create_directories(own / lab);
  for (const char* name : {"assets", "reference", "tests", "app"})
    fs::create_symlink(source_root() / name, own / name);
  fs::create_symlink(source_root() / "labs/include", own / "labs/include");
  for (const auto& e : fs::directory_iterator(source_root() / lab))
    if (e.path().filename() != "lab.toml") fs::create_symlink(e.path(), own / lab / e.path().filename());
  std::string toml = read_or_empty(source_root() / lab / "lab.toml");
  const size_t at = toml.find("  [[step.gates]]", toml.find("file = \"2-shared.cu\""));
  REQUIRE(at != toml.npos);
  toml.insert(at, "  [[step.gates]]\n  expr = \"global_load_sectors <= 1\"\n  words = \"Missed.\"\n");
  t.write("tree/labs/01-reduce/lab.toml", toml);
  const std::string root = "WARPDOJO_ROOT='" + own.string() + "' CUDAToolkit_ROOT='" + cuda.string() +
                           "' XDG_CACHE_HOME='" + t.path.string() + "'";
  const test::Shell s = test::shell(t, source_root().string(),
                                    root + " $W run reduce/2-shared --who reference --json --compiler clang");
  CAPTURE(s.err);
  CHECK(s.status == 0);
  const Report report = report_from_json(s.out);
  REQUIRE(report.runs.size() == 1);
  const auto& said = report.runs[0].diagnostics;
  const auto note = std::find_if(said.begin(), said.end(),
                                 [](const Diagnostic& d) { return d.kind == FindingKind::not_judged; });
  REQUIRE(note != said.end());
  CHECK(note->message.find("global_load_sectors") != note->message.npos);
  for (const GateReport& g : report.runs[0].gates) CHECK(g.name != "global_load_sectors <= 1");
}

TEST_CASE("a changed problem.cpp is another key: it is loaded without a new build") {
  RunnerBench b;
  const Step& step = b.catalog.labs.at(0).steps.at(0);
  auto key = [&](const char* text) {
    b.t.write("labs/01-demo/problem.cpp", text);
    return cache_key(b.catalog, step, "source", {}, {}, 1, false, false);
  };
  const std::string before = key("// sums\n"), after = key("// products\n"), again = key("// sums\n");
  CHECK(before != after);
  CHECK(before == again);
}

TEST_CASE("a reference's report names the problem's quantities, also when it comes out of the cache") {
  RunnerBench b;
  RunRequest r;
  r.step = "demo/1";
  r.who = Who::reference;
  r.gates = false;  // gates would have the inputs made, and their quantities with them
  const Report fresh = run_step(b.catalog, r);
  const int before = test::executions;
  const Report cached = run_step(b.catalog, r);
  CHECK(test::executions == before);
  REQUIRE(fresh.quantities.count("n") == 1);
  CHECK(cached.quantities == fresh.quantities);
}

TEST_CASE("without a writable cache folder everything still runs") {
  RunnerBench b;
  setenv("XDG_CACHE_HOME", "/proc/none", 1);
  CHECK(b.run("ok", Who::both).runs.size() == 2);
}

TEST_CASE(
    "both: the student first, then the reference; a handout without references runs the student alone") {
  RunnerBench b;
  const Report r = b.run("ok", Who::both);
  REQUIRE(r.runs.size() == 2);
  CHECK(r.runs[0].who == "student");
  CHECK(r.runs[1].who == "reference");
  fs::remove_all(b.t.path / "reference");
  CHECK(b.run("ok", Who::both).runs.size() == 1);
  CHECK_THROWS_AS(b.run("ok", Who::reference), Error);
}

TEST_CASE("wrong usage is one line of error") {
  RunnerBench b;
  auto refused = [&](auto change) {
    RunRequest r;
    r.step = "demo/1";
    change(r);
    try {
      run_step(b.catalog, r);
    } catch (const Error& e) {
      CHECK(e.exit == 2);
      CHECK(std::string(e.what()).find('\n') == std::string::npos);
      return true;
    }
    return false;
  };
  CHECK(refused([](RunRequest& r) { r.step = "nothing/9"; }));
  CHECK(refused([](RunRequest& r) { r.device = "fake2:x"; }));
  CHECK(refused([](RunRequest& r) { r.device = "nonsense"; }));
  CHECK(refused([](RunRequest& r) { r.size = {{"rows", 3}}; }));
  CHECK(refused([](RunRequest& r) { r.size = {{"n", -1}}; }));
  CHECK(refused([](RunRequest& r) { r.size = {{"n", 1000000000000}}; }));
  CHECK(refused([](RunRequest& r) { r.size = {{"n", 1000001}}; }));
  CHECK(refused([](RunRequest& r) { r.student_file = "/nowhere/x.cu"; }));
  CHECK(refused([](RunRequest& r) { r.student_file = "/tmp"; }));
  CHECK(refused([](RunRequest& r) { r.device = "rec:/nowhere.json"; }));
  CHECK(!refused([](RunRequest& r) { r.size = {{"", 0}}; }));
}

TEST_CASE("a cancelled run ends with an error of its own") {
  RunnerBench b;
  b.t.write("student.cu", "SLEEP");
  RunRequest r;
  r.step = "demo/1";
  r.student_file = (b.t.path / "student.cu").string();
  int asked = 0;
  RunHooks hooks;
  hooks.cancelled = [&] { return ++asked > 5; };
  try {
    run_step(b.catalog, r, hooks);
    FAIL("ran to the end");
  } catch (const Error& e) {
    CHECK(e.exit == 130);
  }
}

TEST_CASE("a recording replays what was saved, and says what it has not") {
  RunnerBench b;
  Recording rec;
  rec.gpu = "H100";
  rec.date = "2026-01-01";
  rec.commit = "1234567 (two steps: 89abcde; others: 0123456)";
  rec.reports.push_back(b.run("ok", Who::reference));
  const fs::path file = b.t.path / "h100.json";
  save_recording(file, rec);
  RunRequest r;
  r.step = "demo/1";
  r.device = "rec:" + file.string();
  const Report back = run_step(b.catalog, r);
  CHECK(back.device.kind == DeviceKind::recording);
  CHECK(back.device.recorded_note == "H100, 2026-01-01, commit 1234567 and later ones");
  CHECK(back.runs.at(0).time_us.value == 10);
  r.size = {{"n", 5}};
  CHECK_THROWS_AS(run_step(b.catalog, r), Error);
  r.size = {};
  r.who = Who::student;
  CHECK_THROWS_AS(run_step(b.catalog, r), Error);
  r.step = "demo/2";
  CHECK_THROWS_AS(run_step(b.catalog, r), Error);
  b.t.write("bad.json", "{\"schema\": \"warpdojo/recording/1\"}");
  CHECK_THROWS_AS(load_recording(b.t.path / "bad.json"), Error);
}

TEST_CASE("play gives the program's own exit status, or that of its findings") {
  RunnerBench b;
  auto played = [&](const std::string& text) {
    PlayRequest r;
    r.file = b.t.write("p.cu", text).string();
    r.device = "fake:one";
    r.args = {"a", "b"};
    int status = -1;
    std::string printed;
    play(
        r, [&](std::string_view s) { printed += s; }, &status);
    if (text != "SYNTAX") CHECK(printed == "args 3\n");
    return status;
  };
  CHECK(played("fine") == 0);
  CHECK(played("RETURN5") == 5);
  CHECK(played("RETURN5 RACE") == 70);
  CHECK(played("SYNTAX") == 3);
  PlayRequest missing;
  missing.file = "/nowhere.cu";
  CHECK_THROWS_AS(play(missing, {}, nullptr), Error);
}

TEST_CASE("a device too old for a step is told before anything is compiled") {
  const Catalog labs = load_catalog(source_root());
  DeviceInfo t4;
  t4.name = "simt:t4", t4.title = "NVIDIA T4", t4.cc_major = 7, t4.cc_minor = 5;
  const auto words = [&](const char* step, const DeviceInfo& d) -> std::string {
    try {
      run::refuse_old_device(labs, labs.find(step), d);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  const std::string told = words("clusters/2", t4);
  CHECK(told.starts_with("clusters/2 needs a GPU of compute capability 9.0"));
  CHECK(told.ends_with("; the T4 has 7.5. Choose another device."));
  CHECK(words("matmul/11-tf32", t4).starts_with("matmul/11-tf32 needs a GPU of compute capability 8.0"));
  CHECK(words("reduce/1", t4).empty());
  // Volta is older than the compilers' oldest target, which stands for it.
  DeviceInfo v100 = t4;
  v100.title = "NVIDIA V100 SXM2 32GB", v100.cc_minor = 0;
  CHECK(words("reduce/1", v100).empty());
  DeviceInfo rtx = t4;
  rtx.title = "NVIDIA GeForce RTX 3090", rtx.cc_major = 8, rtx.cc_minor = 6;
  CHECK(words("clusters/2", rtx).find("the RTX 3090 has 8.6") != std::string::npos);
  CHECK(words("matmul/11-tf32", rtx).empty());
  RunnerBench b;
  Step& own = b.catalog.labs.at(0).steps.at(0);
  own.arch = "compute_120";
  CHECK_THROWS_WITH_AS(b.run("does not compile"), doctest::Contains("compute capability 12.0"), Error);
}
