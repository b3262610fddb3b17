// The file as it was handed out earns nothing, through the whole grader; neither does it with a harmless
// change. All steps' files are held to it in test_labs, from the run that is made of each anyway.
#include <doctest/doctest.h>

#include "grade/course/starter.hpp"
#include "small_class.hpp"

using namespace dojo;
using namespace dojo::test;

TEST_CASE("the file as it was handed out earns nothing, nor does it with a comment or a declaration more") {
  const SmallClass c;  // for its folders
  const Catalog catalog = load_catalog(DOJO_TEST_ROOT);
  const Environment root("WARPDOJO_ROOT", DOJO_TEST_ROOT);
  auto options = c.options(catalog);
  options.course.steps.clear();
  options.course.time_limit_s = 60;
  options.course.memory_mb = 6144;
  for (const char* id :
       {"reduce/5-sequential", "elementwise/1-add", "coalescing/1-stride-two", "softmax/2-fused-shared"}) {
    const Step& step = catalog.find(id);
    const std::string starter = read_or_empty(catalog.student_file(step));
    const fs::path lab = catalog.lab_of(step).folder.filename();
    for (const auto& [student, text] :
         {std::pair<std::string, std::string>{"untouched", starter},
          {"comment", "// mine\n" + starter + "\n\n"},
          {"declaration", starter + "\n__device__ int never_used(int x) { return x; }\n"}}) {
      fs::create_directories(c.people / student / lab);
      std::ofstream(c.people / student / lab / step.file) << text;
    }
    grade::CourseStep graded;
    graded.step = step.id();
    options.course.steps.push_back(graded);
  }
  const auto rows = c.grade(options, catalog);
  CHECK(rows.size() == 12);
  for (const auto& r : rows) {
    CHECK_MESSAGE(r.points == 0, r.key(), ": ", r.status);
    CHECK(r.message.starts_with("This is the file as it was handed out.") == (r.student != "declaration"));
    CHECK(r.status != grade::RowStatus::pass);
  }
}

TEST_CASE("two texts are one program when only comments and white space differ") {
  const std::string a = "#define N 4\n__global__ void k(int* x) { x[0] = N; /* four */ }\n";
  CHECK(grade::same_program(a, "#define  N 4  // four\n\n__global__ void k(int* x) {\n  x[0] = N;\n}\n"));
  CHECK(!grade::same_program(a, "#define N 5\n__global__ void k(int* x) { x[0] = N; }\n"));
  CHECK(!grade::same_program(a, "#define N 4\n__global__ void k(int* x) { x[1] = N; }\n"));
  CHECK(!grade::same_program("int a = \"x\"[0];", "int a = \"y\"[0];"));
  CHECK(!grade::same_program(a, ""));
}
