// What a failed run is told beside its failure: a known mistake, or a size that fits.
#include <doctest/doctest.h>

#include <algorithm>

#include "run/verdict/mistakes.hpp"
#include "run/verdict/roles.hpp"
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
      if (d.kind == FindingKind::mistake) words += d.message;
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
  const auto found = [](FindingKind kind, const std::string& message, int line, int other) {
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
  const RunReport before_loop =
      found(FindingKind::race, "Race: thread 3 reads s[35] while thread 35 writes it.", 12, 9);
  CHECK(same_failure(
      {before_loop},
      {found(FindingKind::race, "Race: thread 7 reads s[71] while thread 71 writes it.", 20, 17)}));
  // In the loop one line meets itself: another barrier is missing.
  CHECK(!same_failure(
      {before_loop},
      {found(FindingKind::race, "Race: thread 3 reads s[35] while thread 35 writes it.", 12, 12)}));
  const RunReport of_t =
      found(FindingKind::race, "Race: thread 3 reads t[35] while thread 35 writes it.", 12, 9);
  CHECK(!same_failure({before_loop}, {of_t}));
  const RunReport past =
      found(FindingKind::out_of_bounds, "Thread 256 reads s[256]; s has 256 elements.", 12, 12);
  CHECK(same_failure({past}, {past}));
  CHECK(!same_failure({past}, {found(FindingKind::out_of_bounds,
                                     "Thread 0 writes partials[8]; it has 8 elements.", 12, 12)}));
}

TEST_CASE("one mistake is named although the student calls the arrays otherwise") {
  const auto found = [](FindingKind kind, const std::string& message) {
    RunReport r;
    r.status = Status::finding;
    Diagnostic d;
    d.kind = kind;
    d.kernel = "reduce_kernel";
    d.message = message;
    d.where.line = 4;
    r.diagnostics.push_back(d);
    return r;
  };
  const auto source = [](const std::string& arrays, const std::string& parameters) {
    return "__global__ void __launch_bounds__(256) reduce_kernel(" + parameters + ") {\n" + arrays + "}\n";
  };
  const std::string usual = "const float* in, float* partials, int n";
  const std::string one = source("__shared__ float s[256];\n", usual),
                    renamed = source("__shared__ float tile[64 * 4];\n", "const float* x, float* y, int m"),
                    two = source("__shared__ float tile[256], t[256];\n", usual);
  const RunReport of_s = found(FindingKind::race, "Race: thread 3 reads s[35] while thread 35 writes it."),
                  of_tile =
                      found(FindingKind::race, "Race: thread 7 reads tile[71] while thread 71 writes it."),
                  of_t = found(FindingKind::race, "Race: thread 3 reads t[35] while thread 35 writes it.");
  CHECK(same_failure({of_s, one}, {of_tile, renamed}));
  CHECK(same_failure({of_s, one}, {of_tile, two}));
  // Another array of the kernel is another mistake, and so is global memory.
  CHECK(!same_failure({of_s, one}, {of_t, two}));
  CHECK(!same_failure(
      {of_s, one},
      {found(FindingKind::race, "Race: thread 3 reads y[35] while thread 35 writes it."), renamed}));
  const RunReport past =
      found(FindingKind::out_of_bounds, "Thread 0 writes partials[8]; partials has 8 elements.");
  CHECK(same_failure(
      {past, one}, {found(FindingKind::out_of_bounds, "Thread 0 writes y[8]; y has 8 elements."), renamed}));
  CHECK(!same_failure(
      {past, one}, {found(FindingKind::out_of_bounds, "Thread 0 writes x[8]; x has 8 elements."), renamed}));
  CHECK(!same_failure(
      {past, one}, {found(FindingKind::out_of_bounds, "Thread 0 writes y[9]; y has 8 elements."), renamed}));
  // A sentence names lines of its own file.
  CHECK(
      same_failure({found(FindingKind::host_error, "It is still in use by the copy of line 12."), one},
                   {found(FindingKind::host_error, "It is still in use by the copy of line 31."), renamed}));
}

TEST_CASE("roles: parameters and shared arrays of each kernel, without types and template arguments") {
  const Roles r(
      "template <int N> __global__ void a(const cuda::std::array<float, 4>* x, float* const* y = nullptr) {\n"
      "  __shared__ alignas(16) float s[2][8], t[4];\n"
      "  extern __shared__ char raw[];\n"
      "}\n"
      "__device__ int f(int s) { return s; }\n"
      "__global__ void __cluster_dims__(4, 1, 1) __launch_bounds__(256) c(float* z) {}\n"
      "__global__ void b(int* s) { __shared__ cuda::barrier<cuda::thread_scope_block> bar; }\n"
      "__shared__ int loose[3];\n");
  const auto word = [&](const char* name, const char* kernel) {
    return r.in_words(std::string(name) + "[0]", kernel);
  };
  CHECK(word("x", "a") == "the parameter A[0]");
  CHECK(word("y", "a") == "the parameter B[0]");
  CHECK(word("x", "a<16>") == "the parameter A[0]");  // as a finding names the kernel of a template
  CHECK(word("z", "c") == "the parameter A[0]");
  CHECK(word("s", "a") == "the shared array A[0]");
  CHECK(word("t", "a") == "the shared array B[0]");
  CHECK(word("raw", "a") == "the shared array C[0]");
  CHECK(word("s", "b") == "the parameter A[0]");
  CHECK(word("bar", "b") == "the shared array A[0]");
  CHECK(word("loose", "b") == "the shared array A[0]");
  CHECK(word("float", "a") == "float[0]");
  CHECK(r.in_words("Race in x: s has 256 elements", "a") == "Race in x: the shared array A has 256 elements");
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
    return std::count_if(all.begin(), all.end(), [](auto& d) { return d.kind == FindingKind::mistake; });
  };
  CHECK(mistakes("MANY // TODO") == 1);  // it is not known how the file was delivered
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
  const std::optional<Failure> untouched{Failure{starter}};
  CHECK(shows_mistake({failed(1010, 1024)}, {mistake}, untouched));
  CHECK(!shows_mistake({failed(1010, 256)}, {mistake}, untouched));
  CHECK(!shows_mistake({starter}, {starter}, untouched));
  CHECK(shows_mistake({failed(1010, 256)}, {mistake}, std::nullopt));
}

TEST_CASE("a run at its time limit that is larger than the step says which size to run") {
  RunnerBench b;
  const auto notes = [&](const Size& size) {
    std::string all;
    const Report report = b.run("ENDLESS", Who::student, "demo/1", size);
    for (const auto& d : report.runs.at(0).diagnostics)
      if (d.kind == FindingKind::size) all += d.message;
    return all;
  };
  const std::string words = notes({{"n", 4096}});
  CHECK(words.find("n=4096") != words.npos);
  CHECK(words.find("n=64") != words.npos);
  CHECK(words.find("--time-limit") != words.npos);
  CHECK(notes({}).empty());
  CHECK(notes({{"n", 7}}).empty());
}
