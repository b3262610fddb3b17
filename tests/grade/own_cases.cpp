// An instructor's test cases: the example of docs/instructor.md, and files that try to pass it without the
// work.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <map>

#include "core/error.hpp"
#include "grade/cases/own_cases.hpp"
#include "grade/formats.hpp"
#include "small_class.hpp"

using namespace dojo;
using namespace dojo::test;

namespace {

fs::path written(const SmallClass& c, const std::string& name, const std::string& text) {
  std::ofstream(c.path / name) << text;
  return c.path / name;
}

std::map<std::string, grade::Row> graded(const SmallClass& c, const fs::path& tests) {
  const Catalog catalog = c.catalog();
  const grade::GradeOptions o = c.options(catalog);
  const grade::OwnCases own(tests, o.sandbox);
  std::map<std::string, grade::Row> rows;
  for (auto& r : grade::run_own_cases(catalog, grade::find_submissions({c.people.string()}, catalog), o, own))
    rows[r.student] = std::move(r);
  return rows;
}

/// The text with its kernel's or entry's body begun by `lines`.
std::string with(std::string text, const std::string& after, const std::string& lines) {
  const size_t at = text.find(after);
  REQUIRE(at != std::string::npos);
  return text.insert(at + after.size(), lines);
}

}  // namespace

TEST_CASE("the example of docs/instructor.md passes the solution, and fails all that only pretends") {
  const SmallClass c;
  const std::string solution = c.solution();
  const std::string entry = "void reduce(const float* in, float* partials, int n) {";
  const std::string success =
      "printf(\"[doctest] test cases: 2 | 2 passed | 0 failed\\n[doctest] Status: SUCCESS!\\n\");"
      "printf(\"{\\\"ended\\\":0,\\\"passed\\\":true,\\\"messages\\\":[]}\\n{\\\"end\\\":true}\\n\");";
  c.hand_in("ada", solution);
  c.hand_in("starter", read_or_empty(c.root / "labs/01-reduce/5-sequential.cu"));
  c.hand_in("prints", "#include <cstdio>\n__global__ void reduce_kernel(const float*, float*, int) {}\n" +
                          entry + success + "}\n");
  c.hand_in("exits", with("#include <cstdlib>\n" + solution, entry, "exit(0);"));
  c.hand_in("prints-and-exits",
            with("#include <cstdio>\n#include <cstdlib>\n" + solution, entry, success + "exit(0);"));
  c.hand_in(
      "writes",
      with("#include <cstdio>\n" + solution, entry,
           "FILE* f = freopen(\"/tmp/results.json\", \"w\", stdout); if (f) fputs(\"ok\", f); return;"));
  c.hand_in("never-ends", with(solution, entry, "for (volatile int i = 0;; ++i);"));
  c.hand_in("no-code", "this is no code\n");
  fs::create_directories(c.people / "nothing" / "01-reduce");
  std::ofstream(c.people / "nothing" / "01-reduce" / "other.cu") << "int x;\n";
  const auto rows = graded(c, written(c, "mine.cpp", example_of_the_docs()));
  for (const auto& [student, r] : rows) {
    CAPTURE(student);
    CAPTURE(r.message);
    CHECK(r.lab == "tests");
    CHECK(r.step == "mine");
    CHECK(r.max_points == 10);
    REQUIRE(r.checks.size() == 2);
    CHECK(r.checks[0].name == "1,000 ones: the last block is not full");
    CHECK(r.checks[0].max_points == 4);
    CHECK(r.checks[1].max_points == 6);
    // These have the solution's kernel, and launch() calls no host code of theirs.
    const bool own_kernel = student == "exits" || student == "prints-and-exits" || student == "never-ends";
    CHECK(r.points == (student == "ada" ? 10 : student == "starter" ? 4 : own_kernel ? 6 : 0));
  }
  CHECK(rows.at("ada").status == RowStatus::pass);
  CHECK(rows.at("starter").status == RowStatus::wrong);
  CHECK(rows.at("starter").message.find("no bank conflicts in the kernel: mine.cpp:") == 0);
  CHECK(rows.at("never-ends").status == RowStatus::timeout);
  CHECK(rows.at("writes").status == RowStatus::compile_error);
  CHECK(rows.at("no-code").status == RowStatus::compile_error);
  CHECK(rows.at("nothing").status == RowStatus::missing);
}

TEST_CASE("the rows of test cases are in every format of grade") {
  const SmallClass c;
  c.hand_in("ada", c.solution());
  const Catalog catalog = c.catalog();
  grade::GradeOptions o = c.options(catalog);
  const grade::OwnCases own(written(c, "mine.cpp", example_of_the_docs()), o.sandbox);
  const auto rows =
      grade::run_own_cases(catalog, grade::find_submissions({c.people.string()}, catalog), o, own);
  REQUIRE(rows.size() == 1);
  grade::Course course = o.course;
  course.steps = {own.course_step(o.course)};
  const Environment runner[] = {{"CLASSROOM", "c"},       {"ASSIGNMENT", "a"},  {"SUBMISSION_TAG", "t"},
                                {"COMMIT_URL", "https:"}, {"RELEASE_URL", "r"}, {"REVIEW_URL", "v"}};
  for (const auto& f : grade::formats()) {
    CAPTURE(f.name);
    const std::string text = grade::export_text(f, course, rows);
    CHECK(text.find("10") != std::string::npos);
    if (f.name == "json" || f.name == "gradescope" || f.name == "prairielearn")
      CHECK(text.find("no bank conflicts in the kernel") != std::string::npos);
  }
}

TEST_CASE("a test case that ends its process fails, and the next one runs") {
  const SmallClass c;
  c.hand_in("ada", c.solution());
  const auto rows =
      graded(c, written(c, "mine.cpp",
                        "#include \"grade/harness.hpp\"\n#include <cstdlib>\n"
                        "using namespace dojo::harness;\n"
                        "TEST_CASE(\"one\") { CHECK(1 == 1); }\n"
                        "TEST_CASE(\"two\" * points(2)) { std::abort(); }\n"
                        "TEST_CASE(\"three\" * points(3)) { std::_Exit(0); }\n"
                        "TEST_CASE(\"four\" * points(4)) { throw dojo::Error(\"of mine\"); }\n"
                        "TEST_CASE(\"five\" * points(5)) { CHECK(submitted(\"reduce/5\")\n"
                        "  .call(\"no_such\").why().find(\"no_such\") != std::string::npos); }\n"));
  const grade::Row& r = rows.at("ada");
  CAPTURE(r.message);
  REQUIRE(r.checks.size() == 5);
  CHECK(r.points == 6);
  CHECK(r.checks[1].message.find("did not end") != std::string::npos);
  CHECK(r.checks[2].message.find("did not end") != std::string::npos);
  CHECK(r.checks[3].message == "of mine");
  CHECK(r.checks[4].passed);
}

TEST_CASE("a student's file is out of reach of the test cases' process and they of it") {
  const SmallClass c;
  c.hand_in("ada", c.solution());
  const auto rows = graded(c, written(c, "mine.cpp",
                                      "#include \"grade/harness.hpp\"\n#include <fstream>\n"
                                      "TEST_CASE(\"reads\") { CHECK(!std::ifstream(\"" +
                                          c.canary.string() + "\").good()); }\n"));
  CHECK(rows.at("ada").points == 1);
}

TEST_CASE("what is wrong with the instructor's file is said before anything is graded") {
  const SmallClass c;
  const Catalog catalog = c.catalog();
  const auto sandbox = c.options(catalog).sandbox;
  auto why = [&](const std::string& text) -> std::string {
    try {
      grade::OwnCases(written(c, "mine.cpp", text), sandbox);
    } catch (const Error& e) {
      return e.what();
    }
    return {};
  };
  CHECK(why("#include \"grade/harness.hpp\"\nint x = \"y\";\n").find("mine.cpp:2:") != std::string::npos);
  CHECK(why("#include \"grade/harness.hpp\"\n").find("has no TEST_CASE") != std::string::npos);
  CHECK(why("int x;\n").find("does not include \"grade/harness.hpp\"") != std::string::npos);
  const Environment none("CXX", "no-such-compiler");
  CHECK(why("int x;\n").find("Install g++") != std::string::npos);
}
