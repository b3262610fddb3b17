// A handout is made, unpacked, and used: a step runs in it and is graded, beside a reference that is PTX.
#include <doctest/doctest.h>
#include <sys/wait.h>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "grade/handout.hpp"
#include "small_class.hpp"

using namespace dojo;
using namespace dojo::test;

namespace {

int shell(const std::string& words, const fs::path& out) {
  const int status = std::system((words + " >" + out.string() + " 2>&1").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("a handout holds no reference source, and its steps still run beside the reference") {
  const SmallClass c;
  const fs::path made = c.path / "handout", used = c.path / "used", log = c.path / "log";
  std::ofstream(c.path / "course.toml")
      << "title = 'Small'\nseeds = 2\n[[step]]\nstep = 'reduce/5-sequential'\n";
  const auto result = grade::make_handout(c.catalog(), made.string(), (c.path / "course.toml").string());
  CHECK(result.steps == 1);
  CHECK(result.notes.empty());
  // Neither the solution nor a wrong version of it, under whatever name.
  const std::string telling = "if (tid < stride) s[tid] += s[tid + stride];";
  REQUIRE(c.solution().find(telling) != std::string::npos);
  for (const auto& e : fs::recursive_directory_iterator(made)) {
    if (!e.is_regular_file() || e.path().filename() == "lab.toml") continue;
    CAPTURE(e.path().string());
    CHECK(text_of(e.path()).find(telling) == std::string::npos);
    CHECK(e.path().string().find("/tests/") == std::string::npos);
  }
  for (const char* f :
       {"labs/01-reduce/5-sequential.cu", "reference/01-reduce/5-sequential.ptx", "warpdojo", "README.md",
        ".github/workflows/classroom.yml", "gradescope/setup.sh", "gradescope/run_autograder", "course.toml",
        "CMakeLists.txt", "app/cli/main.cpp", "assets/devices"})
    CHECK_MESSAGE(fs::exists(made / f), f);
  CHECK_THROWS_AS(grade::make_handout(c.catalog(), made.string(), ""), Error);  // never over another

  // Packed and unpacked, as a download is.
  REQUIRE(shell("mkdir " + used.string() + " && tar -C " + made.string() + " -cf - . | tar -C " +
                    used.string() + " -xf -",
                log) == 0);
  for (const char* f : {"setup.sh", "run_autograder", "make-zip.sh"})
    CHECK_MESSAGE(shell("bash -n " + (used / "gradescope" / f).string(), log) == 0, text_of(log));
  const Environment root("WARPDOJO_ROOT", used.string());
  const std::string program = program_path().string();
  // Unsolved, then solved.
  CHECK(shell(program + " run reduce/5 --json", log) == 1);
  fs::copy_file(c.root / "reference/01-reduce/5-sequential.cu", used / "labs/01-reduce/5-sequential.cu",
                fs::copy_options::overwrite_existing);
  REQUIRE_MESSAGE(shell(program + " run reduce/5 --json", log) == 0, text_of(log));
  const auto report = nlohmann::json::parse(text_of(log));
  REQUIRE(report["runs"].size() == 2);
  CHECK(report["runs"][0]["status"] == "pass");
  CHECK(report["runs"][1]["who"] == "reference");
  CHECK(report["runs"][1]["status"] == "pass");
  CHECK(report["runs"][0]["launches"][0]["counters"]["smsp__inst_executed.sum"] ==
        report["runs"][1]["launches"][0]["counters"]["smsp__inst_executed.sum"]);

  // Gradescope: an uploaded file, no folders.
  const fs::path autograder = c.path / "autograder";
  fs::create_directories(autograder / "submission");
  fs::create_directories(autograder / "source");
  fs::copy_file(c.root / "reference/01-reduce/5-sequential.cu", autograder / "submission/5-sequential.cu");
  std::ofstream(autograder / "source/secret.txt") << "words\n";
  const std::string run = "AUTOGRADER=" + autograder.string() + " WARPDOJO=" + program +
                          " WARPDOJO_ROOT=" + used.string() + " " +
                          (used / "gradescope/run_autograder").string();
  CHECK(shell(run, log) == 0);
  auto results = nlohmann::json::parse(text_of(autograder / "results/results.json"));
  CHECK(results["score"] == 10);
  CHECK(results["tests"].size() == 3);
  // A grader that can't start leaves a result that says so.
  CHECK(shell("AUTOGRADER=" + autograder.string() + " WARPDOJO=/bin/false " +
                  (used / "gradescope/run_autograder").string(),
              log) == 0);
  results = nlohmann::json::parse(text_of(autograder / "results/results.json"));
  CHECK(results["score"] == 0);
}
