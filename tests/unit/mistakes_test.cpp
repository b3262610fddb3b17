// What a failed run is told beside its failure: a known mistake, or a size that fits.
#include <doctest/doctest.h>

#include <algorithm>

#include "run/verdict/mistakes.hpp"
#include "runner_bench.hpp"

using namespace dojo;
using namespace dojo::run;
using dojo::test::RunnerBench;

TEST_CASE("a failure that a stored wrong version shares is named, another is not") {
  RunnerBench b;
  b.t.write("tests/wrong/01-demo/1-first--third.cu",
            "// wrong: demo/1-first\n// mistake: Element 3 is special to nobody.\n// expect: wrong\nWRONG\n");
  b.t.write("tests/wrong/01-demo/1-first--many.cu",
            "// wrong: demo/1-first\n// mistake: Too many instructions.\n// expect: gate_failed\nMANY\n");
  auto told = [&](const std::string& text) {
    b.t.write("labs/01-demo/1-first.cu", text);
    RunRequest r;
    r.step = "demo/1";
    r.who = Who::student;
    std::string words;
    const Report report = run_step(b.catalog, r);
    for (const auto& d : report.runs.at(0).diagnostics)
      if (d.kind == "mistake") words += d.message;
    return words;
  };
  CHECK(told("my WRONG file") == "Element 3 is special to nobody.");
  CHECK(told("MANY") == "Too many instructions.");
  CHECK(told("UNWRITTEN") == "");
  CHECK(told("ok") == "");
  const int before = test::executions;
  told("WRONG again");
  CHECK(test::executions == before + 1);  // the versions' own reports are kept
}

TEST_CASE("one mistake is not another because both are findings of a kind in one kernel") {
  const auto found = [](const char* kind, const std::string& message, int line, int other) {
    RunReport r;
    r.status = Status::finding;
    Diagnostic d;
    d.kind = kind;
    d.kernel = "reduce_kernel";
    d.message = message;
    d.where.line = line;
    d.related.push_back({{}, ""});
    d.related.back().where.line = other;
    r.diagnostics.push_back(d);
    return r;
  };
  const RunReport before_loop = found("race", "Race: thread 3 reads s[35] while thread 35 writes it.", 12, 9);
  CHECK(same_failure(before_loop,
                     found("race", "Race: thread 7 reads s[71] while thread 71 writes it.", 20, 17)));
  // In the loop one line meets itself: another barrier is missing.
  CHECK(!same_failure(before_loop,
                      found("race", "Race: thread 3 reads s[35] while thread 35 writes it.", 12, 12)));
  CHECK(!same_failure(before_loop,
                      found("race", "Race: thread 3 reads t[35] while thread 35 writes it.", 12, 9)));
  const RunReport past = found("out_of_bounds", "Thread 256 reads s[256]; s has 256 elements.", 12, 12);
  CHECK(same_failure(past, past));
  CHECK(
      !same_failure(past, found("out_of_bounds", "Thread 0 writes partials[8]; it has 8 elements.", 12, 12)));
}

TEST_CASE("an untouched file shows no mistake, nor does a change that fails just as it does") {
  RunnerBench b;
  setenv("XDG_DATA_HOME", (b.t.path / "data").c_str(), 1);
  b.t.write("tests/wrong/01-demo/1-first--many.cu",
            "// wrong: demo/1-first\n// mistake: Too many instructions.\n// expect: gate_failed\nMANY\n");
  const auto mistakes = [&](const std::string& text) {
    b.t.write("labs/01-demo/1-first.cu", text);
    RunRequest r;
    r.step = "demo/1";
    r.who = Who::student;
    const Report report = run_step(b.catalog, r);
    const auto& all = report.runs.at(0).diagnostics;
    return std::count_if(all.begin(), all.end(), [](auto& d) { return d.kind == "mistake"; });
  };
  CHECK(mistakes("MANY // TODO") == 1);  // nobody knows how the file was delivered
  b.t.write("data/warpdojo/originals/01-demo/1-first.cu", "MANY // TODO");
  CHECK(mistakes("MANY // TODO") == 0);
  CHECK(mistakes("MANY // changed") == 0);
  b.t.write("data/warpdojo/originals/01-demo/1-first.cu", "WRONG // TODO");
  CHECK(mistakes("MANY // changed") == 1);
  unsetenv("XDG_DATA_HOME");
}

TEST_CASE("where the untouched file fails alike, a run shows the mistake that it is nearer to") {
  const auto failed = [](double instructions, uint32_t threads) {
    RunReport r;
    r.status = Status::gate_failed;
    r.gates.push_back({"waves <= 1", 25, 1, "<=", false, ""});
    r.launches.resize(1);
    r.launches[0].block = {threads, 1, 1};
    r.launches[0].counters["smsp__inst_executed.sum"] = instructions;
    return r;
  };
  const RunReport starter = failed(1000, 256), mistake = failed(1000, 1024);
  CHECK(shows_mistake(failed(1010, 1024), mistake, &starter));
  CHECK(!shows_mistake(failed(1010, 256), mistake, &starter));
  CHECK(!shows_mistake(starter, starter, &starter));
  CHECK(shows_mistake(failed(1010, 256), mistake, nullptr));
}

TEST_CASE("a run at its time limit that is larger than the step says which size to run") {
  RunnerBench b;
  const auto notes = [&](const Size& size) {
    std::string all;
    const Report report = b.run("ENDLESS", Who::student, "demo/1", size);
    for (const auto& d : report.runs.at(0).diagnostics)
      if (d.kind == "size") all += d.message;
    return all;
  };
  const std::string words = notes({{"n", 4096}});
  CHECK(words.find("n=4096") != words.npos);
  CHECK(words.find("n=64") != words.npos);
  CHECK(words.find("--time-limit") != words.npos);
  CHECK(notes({}).empty());
  CHECK(notes({{"n", 7}}).empty());
}
