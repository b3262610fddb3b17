// A small class from its folder to its grades: pass, a known mistake, a gate, a cheat, a hang, nothing handed
// in.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "core/error.hpp"
#include "grade/formats.hpp"
#include "grade/journal.hpp"
#include "small_class.hpp"

using namespace dojo;
using namespace dojo::test;

namespace {

const char* const gate_only = R"(__global__ void k(const float* in, float* partials, int n) {
  __shared__ float s[256 * 32];
  const int i = blockIdx.x * 256 + threadIdx.x;
  s[32 * threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int stride = 128; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) s[32 * threadIdx.x] += s[32 * (threadIdx.x + stride)];
    __syncthreads();
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = s[0];
}
void reduce(const float* in, float* partials, int n) { k<<<(n + 255) / 256, 256>>>(in, partials, n); }
)";

void fill(const SmallClass& c) {
  c.hand_in("ada", c.solution());
  c.hand_in("bob", read_or_empty(c.root / "tests/wrong/01-reduce/5-sequential--ends-too-soon.cu"));
  c.hand_in("carl", gate_only);
  c.hand_in("dora", read_or_empty(fs::path(DOJO_TEST_ROOT) / "tests/exploits/host-sum.cu"));
  c.hand_in("eve", read_or_empty(fs::path(DOJO_TEST_ROOT) / "tests/hostile/device-loop.cu"));
  fs::create_directories(c.people / "fred");
  c.hand_in("gail", std::string("// handed in by another\n") + gate_only);
}

std::string all_json(const std::vector<grade::Row>& rows) {
  std::string s;
  for (const auto& r : rows) s += grade::to_json(r) + "\n";
  return s;
}

grade::GradeOptions class_options(const SmallClass& c, const Catalog& catalog) {
  auto o = c.options(catalog);
  o.course.seeds = 2;
  o.course.time_limit_s = 60;  // endless loops end by their instructions
  return o;
}

pid_t start(std::vector<std::string> words, const fs::path& log) {
  std::fflush(nullptr);  // else the child's freopen writes what this process has not yet
  const pid_t child = fork();
  if (child == 0) {
    (void)!freopen(log.c_str(), "w", stderr);
    (void)!freopen("/dev/null", "w", stdout);
    std::vector<char*> argv;
    for (auto& w : words) argv.push_back(w.data());
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }
  return child;
}

int finish(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

size_t lines_of(const fs::path& p) {
  const std::string s = read_or_empty(p);
  return size_t(std::count(s.begin(), s.end(), '\n'));
}

/// The class graded without interruption by two workers of one thread each: once, for all cases here.
const std::vector<grade::Row>& graded_by_two() {
  static const std::vector<grade::Row> rows = [] {
    const SmallClass c;
    fill(c);
    const Catalog catalog = c.catalog();
    return c.grade(class_options(c, catalog), catalog);
  }();
  return rows;
}

}  // namespace

TEST_CASE(
    "a small class gets its grades, the same to the bit with one worker and with two, on one thread and on "
    "two") {
  const auto& two = graded_by_two();
  REQUIRE(two.size() == 7);
  for (const auto& r : two) {
    CAPTURE(r.student);
    CAPTURE(r.message);
    const std::string want = r.student == "ada"    ? "pass"
                             : r.student == "bob"  ? "wrong"
                             : r.student == "dora" ? "flagged"
                             : r.student == "eve"  ? "timeout"
                             : r.student == "fred" ? "missing"
                                                   : "gate_failed";
    CHECK(to_string(r.status) == want);
    CHECK((r.points == r.max_points) == (r.student == "ada"));
    CHECK((r.points > 0) == (r.student == "ada"));  // the unsolved file has the others' results too
    CHECK(!r.model_version.empty());
    if (r.student == "bob") {
      CHECK(r.message.find("This looks like a known mistake: ") != std::string::npos);
      CHECK(r.problem.starts_with("known mistake: "));
    }
    if (r.student == "carl") CHECK(r.problem == "gate shared_conflicts == 0");
    CHECK(r.problem.empty() == (r.student == "ada" || r.student == "fred"));
    if (r.student == "ada") CHECK(r.time_us > 0);
  }
  const SmallClass c;
  fill(c);
  const Catalog catalog = c.catalog();
  auto options = class_options(c, catalog);
  options.jobs = 1;
  options.threads = 2;
  CHECK(all_json(c.grade(options, catalog)) == all_json(two));
}

TEST_CASE("a grader's row says what was found in the student's own names") {
  const SmallClass c;
  c.hand_in("hanna", R"(__global__ void add_up(const float* values, float* sums, int n) {
  __shared__ float tile[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = values[i + 1];
  __syncthreads();
  for (int stride = 128; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) tile[threadIdx.x] += tile[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = tile[0];
}
void reduce(const float* in, float* partials, int n) {
  add_up<<<(n + 255) / 256, 256>>>(in, partials, n);
}
)");
  const Catalog catalog = c.catalog();
  auto options = class_options(c, catalog);
  const std::vector<grade::Row> rows = c.grade(options, catalog);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].status == grade::RowStatus::finding);
  CAPTURE(rows[0].message);
  CHECK(rows[0].message.find("5-sequential.cu:4: ") != std::string::npos);
  CHECK(rows[0].message.find(" reads values[") != std::string::npos);
  CHECK(rows[0].message.find("values is the host's in and has ") != std::string::npos);
}

TEST_CASE("a reference that passes on no input stops the batch with a status, and says what to do") {
  const SmallClass c;
  fill(c);
  const fs::path reference = c.root / "reference/01-reduce/5-sequential.cu";
  fs::remove(reference);
  std::ofstream(reference) << "void reduce(const float*, float*, int) {}\n";
  const Catalog catalog = c.catalog();
  auto options = class_options(c, catalog);
  int rows = 0;
  options.row = [&](const grade::Row&, int, int) { ++rows; };
  try {
    c.grade(options, catalog);
    FAIL_CHECK("graded");
  } catch (const Error& e) {
    CAPTURE(e.what());
    CHECK(e.exit == 71);
    const std::string words = e.what();
    CHECK(words.find("reduce/5-sequential: the reference does not pass on input 0") != std::string::npos);
    CHECK(words.find("passes on no input, so no grade is right") != std::string::npos);
    CHECK(words.find("course.toml") != std::string::npos);
  }
  CHECK(rows <= 1);  // fred's, who handed nothing in
}

TEST_CASE("a grading by two workers that is killed goes on where it was, and ends with the same rows") {
  const SmallClass c;
  fill(c);
  const std::string program = program_path().string(), out = (c.path / "grades.csv").string();
  std::ofstream(c.path / "course.toml")
      << "title = 'Small'\nseeds = 2\ntime_limit_s = 60\ncompile_limit_s = 4\n"
         "memory_mb = 1024\n[[step]]\nstep = 'reduce/5-sequential'\npoints = 10\n";
  const std::vector<std::string> words = {program,
                                          "grade",
                                          c.people.string(),
                                          "--secret",
                                          "a secret of tests",
                                          "--course",
                                          (c.path / "course.toml").string(),
                                          "--out",
                                          out,
                                          "-j",
                                          "2"};
  const fs::path journal = out + ".rows.jsonl";
  // Killed behind the head and three rows. A loaded machine may look too late, when all seven are there: then
  // once more.
  size_t before = 8;
  for (int attempt = 0; attempt < 5 && before >= 8; ++attempt) {
    std::error_code none;
    fs::remove(journal, none);
    fs::remove(out, none);
    const pid_t first = start(words, c.path / "log1");
    for (int k = 0; k < 2400 && lines_of(journal) < 4; ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
    kill(first, SIGKILL);
    finish(first);
    before = lines_of(journal);
  }
  const std::string so_far = read_or_empty(journal);
  REQUIRE(before >= 4);
  REQUIRE(before < 8);
  // The table shows the rows so far, as they came.
  const auto partial = grade::read_csv(read_or_empty(out));
  CHECK(partial.size() + 1 >= before - 1);
  CHECK(partial.size() < 7);
  // A kill in the middle of a line leaves half of it.
  std::ofstream(journal, std::ios::app) << so_far.substr(so_far.find('\n') + 1, 60);
  auto resumed = words;
  resumed.insert(resumed.end(), {"--resume", "--report", (c.path / "class.html").string()});
  // Another secret would make other inputs: its rows don't mix with these.
  auto other = resumed;
  other[4] = "another";
  CHECK(finish(start(other, c.path / "log2")) == 2);
  CHECK(read_or_empty(c.path / "log2").find("another grading") != std::string::npos);
  CHECK(finish(start(resumed, c.path / "log3")) == 0);
  CHECK(!fs::exists(journal));
  // No row lost, none doubled, and to the byte what a whole run gives.
  CHECK(read_or_empty(out) == grade::find_format("csv").text({}, graded_by_two()));
  // The report: who is alike, what went wrong, and which layers kept the machine safe.
  const std::string html = read_or_empty(c.path / "class.html");
  CHECK(html.find("carl, gail") != std::string::npos);
  CHECK(html.find("1 of 7") != std::string::npos);
  CHECK(html.find("gate shared_conflicts == 0 (2x)") != std::string::npos);
  CHECK(html.find("Sandbox: ") != std::string::npos);
}
