#pragma once
// `grade --tests mine.cpp`: an instructor's test cases (grade/harness.hpp) for every student. mine.cpp is the
// course's own and trusted; the students' files are not, and run in the same children as in other gradings.
#include <string>
#include <vector>

#include "core/compile/child.hpp"
#include "grade/cases/student_calls.hpp"
#include "grade/grader.hpp"

namespace dojo::grade {

/// mine.cpp, compiled. Its file goes with the object.
class OwnCases {
 public:
  /// Compiles and lists the test cases. Throws Error with the compiler's first message, or when there is no
  /// compiler, no doctest, no test case.
  OwnCases(const fs::path& source, const run::Sandbox&);
  OwnCases(const OwnCases&) = delete;
  const std::string& name() const { return name_; }  ///< "mine"
  const std::string& text() const { return text_; }
  const fs::path& object() const { return object_; }
  const std::vector<harness::TestCase>& cases() const { return cases_; }
  /// What exports and rules know of them: "tests/mine", with the points of all cases.
  CourseStep course_step(const Course&) const;

 private:
  std::string name_, text_;
  ScratchFolder folder_;
  fs::path object_;
  std::vector<harness::TestCase> cases_;
};

/// The keys of all rows, in the order of submissions: "ada/tests/mine".
std::vector<std::string> own_case_keys(const std::vector<Submission>&, const OwnCases&);

/// One row per student, "tests/mine", with a check per test case. As grade_all otherwise: options.skip,
/// options.row, options.jobs, options.stopped, options.shared.
std::vector<Row> run_own_cases(const Catalog&, const std::vector<Submission>&, const GradeOptions&,
                               const OwnCases&);

}  // namespace dojo::grade
