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
  c.hand_in("bob", text_of(c.root / "tests/wrong/01-reduce/5-sequential--ends-too-soon.cu"));
  c.hand_in("carl", gate_only);
  c.hand_in("dora", text_of(fs::path(DOJO_TEST_ROOT) / "tests/exploits/host-sum.cu"));
  c.hand_in("eve", text_of(fs::path(DOJO_TEST_ROOT) / "tests/hostile/device-loop.cu"));
  fs::create_directories(c.people / "fred");
  c.hand_in("gail", std::string("// handed in by another\n") + gate_only);
}

std::string all_json(const std::vector<grade::Row>& rows) {
  std::string s;
  for (const auto& r : rows) s += grade::to_json(r) + "\n";
  return s;
}

pid_t start(std::vector<std::string> words, const fs::path& log) {
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
  const std::string s = text_of(p);
  return size_t(std::count(s.begin(), s.end(), '\n'));
}

}  // namespace

TEST_CASE("a small class gets its grades, the same to the bit with one worker and with two") {
  const SmallClass c;
  fill(c);
  const Catalog catalog = c.catalog();
  auto options = c.options(catalog);
  options.course.seeds = 2;
  options.course.time_limit_s = 60;  // endless loops end by their instructions
  const auto two = c.grade(options, catalog);
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
    CHECK(r.status == want);
    CHECK((r.points == r.max_points) == (r.student == "ada"));
    CHECK((r.points > 0) == (r.student == "ada" || want == "gate_failed"));
    CHECK(!r.model_version.empty());
    if (r.student == "bob") CHECK(r.message.find("This looks like a known mistake: ") != std::string::npos);
    if (r.student == "ada") CHECK(r.time_us > 0);
  }
  options.jobs = 1;
  CHECK(all_json(c.grade(options, catalog)) == all_json(two));
}

TEST_CASE("a grading that is killed goes on where it was, and ends with the same rows") {
  const SmallClass c;
  fill(c);
  const std::string program = program_path().string(), out = (c.path / "grades.csv").string();
  std::ofstream(c.path / "course.toml")
      << "title = 'Small'\nseeds = 1\ntime_limit_s = 30\ncompile_limit_s = 4\n"
         "[[step]]\nstep = 'reduce/5-sequential'\npoints = 10\n";
  const std::vector<std::string> words = {
      program, "grade", c.people.string(), "--secret", "k", "--course", (c.path / "course.toml").string(),
      "--out", out};
  const fs::path journal = out + ".rows.jsonl";
  const pid_t first = start(words, c.path / "log1");
  for (int k = 0; k < 1200 && lines_of(journal) < 3; ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  kill(first, SIGKILL);
  finish(first);
  const size_t before = lines_of(journal);
  REQUIRE(before >= 3);  // the head and two rows
  CHECK(!fs::exists(out));
  auto resumed = words;
  resumed.insert(resumed.end(), {"--resume", "-j", "2", "--report", (c.path / "class.html").string()});
  // Another secret would make other inputs: its rows don't mix with these.
  auto other = resumed;
  other[4] = "another";
  CHECK(finish(start(other, c.path / "log2")) == 2);
  CHECK(text_of(c.path / "log2").find("another grading") != std::string::npos);
  CHECK(finish(start(resumed, c.path / "log3")) == 0);
  const auto rows = grade::read_csv(text_of(out));
  CHECK(rows.size() == 7);
  CHECK(!fs::exists(journal));
  // A whole run gives the same file.
  auto whole = words;
  whole.back() = out + "2";
  CHECK(finish(start(whole, c.path / "log4")) == 0);
  CHECK(text_of(out) == text_of(out + "2"));
  // The report: who is alike, what went wrong, and which layers kept the machine safe.
  const std::string html = text_of(c.path / "class.html");
  CHECK(html.find("carl, gail") != std::string::npos);
  CHECK(html.find("1 of 7") != std::string::npos);
  CHECK(html.find("Sandbox: ") != std::string::npos);
}
