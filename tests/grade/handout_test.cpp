// A handout is made, unpacked, and used: a step runs in it and is graded, beside a reference that is PTX.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "grade/handout.hpp"
#include "schema_check.hpp"
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

  // The workflow carries the names by which GitHub Classroom takes points, and hands over what its reporter
  // reads.
  const std::string workflow = text_of(used / ".github/workflows/classroom.yml");
  for (const char* line : {"\nname: Autograding Tests\n", "\njobs:\n  run-autograding-tests:\n",
                           "runners: warpdojo\n", "WARPDOJO_RESULTS: ${{ steps.grade.outputs.result }}\n"})
    CHECK_MESSAGE(workflow.find(line) != std::string::npos, line);
  // What the workflow's step says, in a clone.
  const size_t step = workflow.find("        run: |\n") + 15, step_end = workflow.find("        shell: bash");
  std::ofstream(c.path / "step.sh") << "set -e\n" << workflow.substr(step, step_end - step);
  std::ofstream(used / "course.toml") << text_of(c.path / "course.toml");
  fs::create_directories(c.path / "clone");
  fs::copy(used / "labs", c.path / "clone/labs", fs::copy_options::recursive);
  fs::copy(used / "course.toml", c.path / "clone/course.toml");
  fs::create_symlink(program, c.path / "clone/warpdojo");
  REQUIRE_MESSAGE(
      shell("cd " + (c.path / "clone").string() + " && GITHUB_OUTPUT=" + (c.path / "output").string() +
                " WARPDOJO_SECRET=words bash " + (c.path / "step.sh").string(),
            log) == 0,
      text_of(log));
  CHECK(text_of(c.path / "output").starts_with("result="));
  REQUIRE(shell("sed s/result=// " + (c.path / "output").string() + " | base64 -d", log) == 0);
  const auto classroom = nlohmann::json::parse(text_of(log));
  CHECK(classroom_misfits(classroom) == "");
  CHECK(classroom["status"] == "pass");
  CHECK(classroom["tests"][0]["score"] == 10);

  // Gradescope: the zip as uploaded, unpacked as its image has it; an uploaded file, no folders.
  const fs::path autograder = c.path / "autograder", source = autograder / "source";
  for (const char* folder : {"submission", "source", "results"}) fs::create_directories(autograder / folder);
  std::ofstream(c.path / "secret.txt") << "words\n";
  REQUIRE_MESSAGE(
      shell((used / "gradescope/make-zip.sh").string() + " --course " + (c.path / "course.toml").string() +
                " --secret " + (c.path / "secret.txt").string() + " --out " +
                (c.path / "autograder.zip").string(),
            log) == 0,
      text_of(log));
  REQUIRE(shell("cd " + source.string() + " && cmake -E tar xf " + (c.path / "autograder.zip").string(),
                log) == 0);
  for (const char* f : {"setup.sh", "run_autograder", "course.toml", "secret.txt", "warpdojo/warpdojo",
                        "warpdojo/reference/01-reduce/5-sequential.ptx", "warpdojo/CMakeLists.txt"})
    CHECK_MESSAGE(fs::exists(source / f), f);
  CHECK(!fs::exists(source / "warpdojo/gradescope"));
  // Its harness copies the script out of the archive, and starts it in /autograder.
  fs::copy_file(source / "run_autograder", autograder / "run_autograder");
  CHECK(access((autograder / "run_autograder").c_str(), X_OK) == 0);
  // setup.sh builds by asking the launcher for a list: here one that writes down how it was called.
  {
    const std::string launcher = text_of(source / "warpdojo/warpdojo");
    std::ofstream(source / "warpdojo/warpdojo")
        << "#!/bin/sh\necho \"$@\" >" << (c.path / "called").string() << "\n";
    CHECK_MESSAGE(
        shell("AUTOGRADER=" + autograder.string() + " bash " + (source / "setup.sh").string(), log) == 0,
        text_of(log));
    CHECK(text_of(c.path / "called") == "list\n");
    std::ofstream(source / "warpdojo/warpdojo") << launcher;
  }
  const auto graded = [&](const std::string& with) {
    std::error_code ec;
    fs::remove(autograder / "results/results.json", ec);
    // As there: no variable of this process's.
    CHECK(
        shell(
            "cd " + autograder.string() +
                " && env -i PATH=$PATH HOME=/nonexistent CUDAToolkit_ROOT=${CUDAToolkit_ROOT:-} AUTOGRADER=" +
                autograder.string() + " " + with + " ./run_autograder",
            log) == 0);
    const auto results = nlohmann::json::parse(text_of(autograder / "results/results.json"));
    CHECK(gradescope_misfits(results) == "");
    return results;
  };
  const std::string ours = "WARPDOJO=" + program;
  fs::copy_file(c.root / "reference/01-reduce/5-sequential.cu", autograder / "submission/5-sequential.cu");
  auto results = graded(ours);
  CHECK(results["score"] == 10);
  CHECK(results["tests"].size() == 3);
  // The file as handed out: it misses the step's point, and the result says by which figure.
  fs::copy_file(c.root / "labs/01-reduce/5-sequential.cu", autograder / "submission/5-sequential.cu",
                fs::copy_options::overwrite_existing);
  results = graded(ours);
  CHECK(results["score"] < 10);
  int failed = 0;
  for (const auto& t : results["tests"]) {
    failed += t["status"] == "failed";
    if (t["status"] == "failed") CHECK(t["output"].get<std::string>().find("asked for") != std::string::npos);
  }
  CHECK(failed > 0);
  // Nothing handed in.
  fs::remove(autograder / "submission/5-sequential.cu");
  CHECK(graded(ours)["score"] == 0);
  // A grader that can't start leaves a result that says so, whatever it prints.
  const fs::path broken = c.path / "broken";
  std::ofstream(broken) << "#!/bin/sh\nprintf 'a \"quote\", a \\\\ and \\033[1m\\001' >&2; exit 1\n";
  fs::permissions(broken, fs::perms::owner_all);
  results = graded("WARPDOJO=" + broken.string());
  CHECK(results["score"] == 0);
  CHECK(results["output"].get<std::string>().find("could not grade") != std::string::npos);
}
