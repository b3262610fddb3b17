// A handout is made, unpacked, and used: a step runs in it and is graded, beside a reference that is PTX.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "grade/book/overrides.hpp"
#include "grade/course/handout.hpp"
#include "grade/intake/pack.hpp"
#include "run/student/originals.hpp"
#include "schema_check.hpp"
#include "small_class.hpp"

using namespace dojo;
using namespace dojo::test;

TEST_CASE("a handout holds no reference source, and its steps still run beside the reference") {
  const SmallClass c;
  const fs::path made = c.path / "handout", used = c.path / "used", log = c.path / "log";
  std::ofstream(c.path / "course.toml")
      << "title = 'Small'\nseeds = 2\n[[step]]\nstep = 'reduce/5-sequential'\n";
  const auto result =
      grade::make_handout(c.catalog(), made.string(), {(c.path / "course.toml").string(), 0, false});
  CHECK(result.steps == 1);
  CHECK(result.notes.empty());
  // Neither the solution nor a wrong version of it, under whatever name.
  const std::string telling = "if (tid < stride) s[tid] += s[tid + stride];";
  REQUIRE(c.solution().find(telling) != std::string::npos);
  for (const auto& e : fs::recursive_directory_iterator(made)) {
    if (!e.is_regular_file() || e.path().filename() == "lab.toml") continue;
    CAPTURE(e.path().string());
    CHECK(read_or_empty(e.path()).find(telling) == std::string::npos);
    CHECK(e.path().string().find("/tests/") == std::string::npos);
  }
  for (const char* f :
       {"labs/01-reduce/5-sequential.cu", "reference/01-reduce/5-sequential.ptx", "warpdojo", "README.md",
        "classroom50/autograder.py", "prairielearn/run.sh", "prairielearn/info.json", "gradescope/setup.sh",
        "gradescope/run_autograder", "course.toml", "CMakeLists.txt", "app/cli/main.cpp", "assets/devices"})
    CHECK_MESSAGE(fs::exists(made / f), f);
  CHECK_THROWS_AS(grade::make_handout(c.catalog(), made.string(), {}), Error);  // never over another

  // Packed and unpacked, as a download is.
  REQUIRE(exit_status("mkdir " + used.string() + " && tar -C " + made.string() + " -cf - . | tar -C " +
                          used.string() + " -xf -",
                      log) == 0);
  for (const char* f : {"setup.sh", "run_autograder", "make-zip.sh"})
    CHECK_MESSAGE(exit_status("bash -n " + (used / "gradescope" / f).string(), log) == 0, read_or_empty(log));
  const Environment root("WARPDOJO_ROOT", used.string());
  const std::string program = program_path().string();
  // Unsolved, then solved.
  CHECK(exit_status(program + " run reduce/5 --json", log) == 1);
  fs::copy_file(c.root / "reference/01-reduce/5-sequential.cu", used / "labs/01-reduce/5-sequential.cu",
                fs::copy_options::overwrite_existing);
  REQUIRE_MESSAGE(exit_status(program + " run reduce/5 --json", log) == 0, read_or_empty(log));
  const auto report = nlohmann::json::parse(read_or_empty(log));
  REQUIRE(report["runs"].size() == 2);
  CHECK(report["runs"][0]["status"] == "pass");
  CHECK(report["runs"][1]["who"] == "reference");
  CHECK(report["runs"][1]["status"] == "pass");
  CHECK(report["runs"][0]["launches"][0]["counters"]["smsp__inst_executed.sum"] ==
        report["runs"][1]["launches"][0]["counters"]["smsp__inst_executed.sum"]);
  // The same file, once as source and once as the handout's PTX: gates compare times. At this size the time
  // also shows where the arrays lie.
  REQUIRE(exit_status(program + " run reduce/5 --size 4M --json", log) == 0);
  const auto large = nlohmann::json::parse(read_or_empty(log));
  CHECK(large["runs"][0]["time_us"]["value"] == large["runs"][1]["time_us"]["value"]);

  // Classroom 50: its runner starts the script in the student's checkout, with the bundle beside the script.
  const std::string solution = (used / "labs/01-reduce/5-sequential.cu").string();
  fs::create_directories(c.path / "bundle");
  fs::create_directories(c.path / "clone/labs/01-reduce");
  fs::copy(solution, c.path / "clone/labs/01-reduce");
  fs::copy(used / "classroom50/autograder.py", c.path / "bundle");
  fs::copy(c.path / "course.toml", c.path / "bundle");
  std::ofstream(c.path / "bundle/secret.txt") << "practice\n";
  const std::string in_runner =
      "CLASSROOM=gpu ASSIGNMENT=reduce SUBMISSION_TAG=submit/1 COMMIT_URL=https://h/c "
      "RELEASE_URL=https://h/r "
      "OWNER=ada WARPDOJO=" +
      program + " ";
  REQUIRE_MESSAGE(exit_status("cd " + (c.path / "clone").string() + " && " + in_runner + "python3 " +
                                  (c.path / "bundle/autograder.py").string(),
                              log) == 0,
                  read_or_empty(log));
  const auto room = nlohmann::json::parse(read_or_empty(c.path / "clone/result.json"));
  CHECK(classroom50_misfits(room) == "");
  CHECK(room["score"] == 10);
  CHECK(room["tests"][0]["passed"] == true);

  // PrairieLearn: /grade/student in, /grade/results/results.json out.
  const fs::path grade = c.path / "grade";
  fs::create_directories(grade / "student");
  fs::create_directories(grade / "tests");
  fs::copy(solution, grade / "student");
  fs::copy(c.path / "course.toml", grade / "tests");
  const auto learnt = [&](const std::string& with) {
    CHECK(exit_status("GRADE=" + grade.string() + " " + with + " " + (used / "prairielearn/run.sh").string(),
                      log) == 0);
    const auto results = nlohmann::json::parse(read_or_empty(grade / "results/results.json"));
    CHECK(prairielearn_misfits(results) == "");
    return results;
  };
  CHECK(learnt("WARPDOJO=" + program)["score"] == 1.0);
  CHECK(learnt("WARPDOJO=/bin/false")["gradable"] == false);

  // Gradescope: the zip as uploaded, unpacked as its image has it; an uploaded file, no folders.
  const fs::path autograder = c.path / "autograder", source = autograder / "source";
  for (const char* folder : {"submission", "source", "results"}) fs::create_directories(autograder / folder);
  std::ofstream(c.path / "secret.txt") << "words\n";
  REQUIRE_MESSAGE(
      exit_status((used / "gradescope/make-zip.sh").string() + " --course " +
                      (c.path / "course.toml").string() + " --secret " + (c.path / "secret.txt").string() +
                      " --out " + (c.path / "autograder.zip").string(),
                  log) == 0,
      read_or_empty(log));
  REQUIRE(exit_status("cd " + source.string() + " && cmake -E tar xf " + (c.path / "autograder.zip").string(),
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
    const std::string launcher = read_or_empty(source / "warpdojo/warpdojo");
    std::ofstream(source / "warpdojo/warpdojo")
        << "#!/bin/sh\necho \"$@\" >" << (c.path / "called").string() << "\n";
    CHECK_MESSAGE(exit_status("AUTOGRADER=" + autograder.string() + " bash " + (source / "setup.sh").string(),
                              log) == 0,
                  read_or_empty(log));
    CHECK(read_or_empty(c.path / "called") == "list\n");
    std::ofstream(source / "warpdojo/warpdojo") << launcher;
  }
  const auto graded = [&](const std::string& with) {
    std::error_code ec;
    fs::remove(autograder / "results/results.json", ec);
    // As there: no variable of this process's.
    CHECK(
        exit_status(
            "cd " + autograder.string() +
                " && env -i PATH=$PATH HOME=/nonexistent CUDAToolkit_ROOT=${CUDAToolkit_ROOT:-} AUTOGRADER=" +
                autograder.string() + " " + with + " ./run_autograder",
            log) == 0);
    const auto results = nlohmann::json::parse(read_or_empty(autograder / "results/results.json"));
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

namespace {

/// A checkout with the reduce lab as it is, to hand out parts of.
struct ReduceLab {
  Folder folder;
  fs::path root = folder.path / "root", course = folder.path / "course.toml";
  ReduceLab() {
    const fs::path from = DOJO_TEST_ROOT;
    for (const char* part : {"labs/01-reduce", "labs/include", "reference/01-reduce"}) {
      fs::create_directories((root / part).parent_path());
      fs::copy(from / part, root / part, fs::copy_options::recursive);
    }
  }
  void course_of(const std::string& text) const { std::ofstream(course) << text; }
  grade::Handout make(const std::string& name, int stage = 0, bool update = false) const {
    return grade::make_handout(load_catalog(root), (folder.path / name).string(),
                               {course.string(), stage, update});
  }
  fs::path in(const std::string& name) const { return folder.path / name; }
};

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

/// Makes a checkout of a folder: its labs as they are now are the last commit.
void commit_labs(const fs::path& root) {
  const std::string git =
      "cd " + root.string() +
      " && git init -q . && git add labs && git -c user.name=a -c user.email=a@b commit -qm labs";
  REQUIRE(std::system(git.c_str()) == 0);
}

}  // namespace

TEST_CASE("a handout holds the course's steps alone, in stages; a later stage changes no student's file") {
  const ReduceLab lab;
  lab.course_of(
      "title = 'Stages'\n[[step]]\nstep = 'reduce/5'\n[[step]]\nstep = 'reduce/8-shuffle'\nstage = 2\n");
  CHECK(lab.make("one", 1).steps == 1);
  const fs::path one = lab.in("one");
  CHECK(fs::exists(one / "labs/01-reduce/5-sequential.cu"));
  CHECK(fs::exists(one / "starters/01-reduce/5-sequential.cu"));
  for (const char* not_yet : {"labs/01-reduce/8-shuffle.cu", "starters/01-reduce/8-shuffle.cu",
                              "labs/01-reduce/6-add-on-load.cu", "labs/01-reduce/4-strided-index.cu"})
    CHECK_MESSAGE(!fs::exists(one / not_yet), not_yet);
  // Gates of step 5 compare with step 4's reference, which goes along as PTX, and is no step to solve.
  CHECK(fs::exists(one / "reference/01-reduce/4-strided-index.ptx"));
  CHECK(!fs::exists(one / "labs/01-reduce/4-strided-index.md"));
  CHECK(read_or_empty(one / "course.toml").find("reduce/8") == std::string::npos);
  const Catalog handed = load_catalog(one);
  CHECK(handed.problems.empty());
  REQUIRE(handed.labs.size() == 1);
  REQUIRE(handed.labs[0].steps.size() == 1);
  CHECK(handed.labs[0].compared.size() == 1);
  const Step& fifth = handed.find("reduce/5");
  REQUIRE(handed.previous(fifth));
  CHECK(handed.previous(fifth)->file == "4-strided-index.cu");
  for (const char* name : {"reduce/4", "reduce/strided-index", "reduce/4-strided-index"}) {
    CHECK(handed.find_reference(name).file == "4-strided-index.cu");
    CHECK(
        refusal([&] { handed.find(name); }).starts_with("reduce/4-strided-index is no step of this course"));
  }
  grade::load_course(one / "course.toml", handed);

  std::ofstream(one / "labs/01-reduce/5-sequential.cu") << "// the student's work\n";
  CHECK(refusal([&] { lab.make("one", 2); }).find("--update") != std::string::npos);
  CHECK(lab.make("one", 2, true).steps == 2);
  CHECK(read_or_empty(one / "labs/01-reduce/5-sequential.cu") == "// the student's work\n");
  CHECK(fs::exists(one / "labs/01-reduce/8-shuffle.cu"));
  CHECK(load_catalog(one).problems.empty());
}

TEST_CASE("what a lecturer solves in the checkout is neither handed out nor taken for the starter") {
  const ReduceLab lab;
  commit_labs(lab.root);
  const Catalog catalog = load_catalog(lab.root);
  const Step& step = catalog.find("reduce/5");
  const std::string starter = read_or_empty(catalog.student_file(step));
  const std::string solution = read_or_empty(catalog.reference_file(step));
  REQUIRE(starter != solution);
  std::ofstream(catalog.student_file(step)) << solution;
  CHECK(run::starter_text(catalog, step) == starter);
  lab.course_of("[[step]]\nstep = 'reduce/5'\n");
  const grade::Handout made = lab.make("handed");
  for (const char* folder : {"labs", "starters"})
    CHECK(read_or_empty(lab.in("handed") / folder / "01-reduce" / step.file) == starter);
  REQUIRE(made.notes.size() == 1);
  CHECK(made.notes[0].find("5-sequential.cu has changes that are not committed") != std::string::npos);
}

TEST_CASE("submit names the files that are as they were handed out, in a checkout as in a handout") {
  const ReduceLab lab;
  commit_labs(lab.root);
  const Catalog catalog = load_catalog(lab.root);
  grade::Course course;
  for (const char* id : {"reduce/5-sequential", "reduce/6-add-on-load"}) {
    grade::CourseStep step;
    step.step = id;
    course.steps.push_back(step);
  }
  CHECK(grade::pack_submission(catalog, course).notes ==
        std::vector<std::string>{"2 files are as they were handed out: 01-reduce/5-sequential.cu, "
                                 "01-reduce/6-add-on-load.cu"});
  std::ofstream(catalog.student_file(catalog.find("reduce/5"))) << "int solved;\n";
  CHECK(grade::pack_submission(catalog, course).notes ==
        std::vector<std::string>{"01-reduce/6-add-on-load.cu is as it was handed out"});
}

TEST_CASE("where git does not read the checkout, starters are said to be the files as they are") {
  const ReduceLab lab;
  const Catalog catalog = load_catalog(lab.root);
  CHECK(run::starters_problem(catalog).empty());  // no repository: a folder of labs
  REQUIRE(
      std::system(("cd " + lab.root.string() +
                   " && git init -q . && git add labs && git -c user.name=a -c user.email=a@b commit -qm x")
                      .c_str()) == 0);
  CHECK(run::starters_problem(catalog).empty());
  std::ofstream(lab.root / ".git/HEAD") << "broken";
  const std::string problem = run::starters_problem(catalog);
  CHECK(problem.starts_with("git does not read " + lab.root.string()));
  CHECK(problem.find("git config --global --add safe.directory") != std::string::npos);
  CHECK(problem.find('\n') == std::string::npos);
}

TEST_CASE("a handout refuses a starter that holds another step's solution, and what grading would refuse") {
  const ReduceLab lab;
  const std::string two = "[[step]]\nstep = 'reduce/5'\n[[step]]\nstep = 'reduce/6'\n";
  lab.course_of(two);
  const std::string said = refusal([&] { lab.make("leak"); });
  CHECK(said.find("reduce/6-add-on-load's starter holds the solution of reduce/5-sequential") !=
        std::string::npos);
  CHECK(!fs::exists(lab.in("leak")));
  lab.course_of(two + "stage = 2\n");
  CHECK(lab.make("first", 1).steps == 1);
  CHECK(lab.make("first", 2, true).steps == 2);  // the solved step's own time is over
  CHECK(refusal([&] { lab.make("at once"); }).find("reduce/6-add-on-load's starter") != std::string::npos);
  lab.course_of("solved_starters = true\n" + two);
  CHECK(lab.make("open").steps == 2);
  lab.course_of("model_version = '1'\n[[step]]\nstep = 'reduce/5'\n");
  CHECK(refusal([&] { lab.make("old"); }).find("model version 1") != std::string::npos);
  lab.course_of("device = 'simt:abacus'\n[[step]]\nstep = 'reduce/5'\n");
  CHECK(refusal([&] { lab.make("device"); }).find("abacus") != std::string::npos);
  lab.course_of("device = 'cuda:0'\n[[step]]\nstep = 'reduce/5'\n");
  CHECK(refusal([&] { lab.make("real"); }).find("not on cuda:0") != std::string::npos);
  lab.course_of("sede = 3\n[[step]]\nstep = 'reduce/5'\n");
  CHECK(refusal([&] { lab.make("typo"); }).find("course.toml:1: there is no 'sede' here") !=
        std::string::npos);
}

TEST_CASE("course.toml and overrides.toml as the instructor's page shows them are accepted together") {
  const Catalog catalog = load_catalog(DOJO_TEST_ROOT);
  const std::string page = read_or_empty(fs::path(DOJO_TEST_ROOT) / "docs/instructor.md");
  const Folder f;
  int courses = 0, overrides = 0;
  for (size_t at = 0; (at = page.find("```toml\n", at)) != std::string::npos;) {
    at += 8;
    const std::string block = page.substr(at, page.find("```", at) - at);
    if (block.find("[[adjust]]") != std::string::npos) {
      std::ofstream(f.path / "overrides.toml") << block;
      const auto decided = grade::load_overrides(f.path / "overrides.toml", catalog,
                                                 grade::load_course(f.path / "course.toml", catalog));
      CHECK(decided.students.at("ada").excused.size() == 1);
      ++overrides;
    }
    if (block.find("[[step]]") == std::string::npos) continue;
    std::ofstream(f.path / "course.toml") << block;
    const auto course = grade::load_course(f.path / "course.toml", catalog);
    grade::check_course(course, catalog);
    CHECK(!course.model_version.empty());
    ++courses;
  }
  CHECK(courses == 1);
  CHECK(overrides == 1);
}
