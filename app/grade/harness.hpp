#pragma once
// doctest for instructors: test cases of your own about a student's file (docs/instructor.md, "Test cases of
// your own"). `warpdojo grade --tests mine.cpp SUBMISSIONS` compiles mine.cpp and runs it once per student.
//
//   #include "grade/harness.hpp"
//   using namespace dojo::harness;
//
//   TEST_CASE("sums 1,000 ones" * points(3)) {
//     const Run run = submitted("reduce/5-sequential").call("reduce", in(ones), out<float>(4), 1000);
//     REQUIRE_MESSAGE(run.ok(), run.why());
//     CHECK(run.array<float>(1)[0] == 256);
//   }
//
// The student's code never runs in the process of the test cases. Each call goes through the grader to a
// worker child in its own sandbox, and what comes back is data: arrays, counters, findings, printed text.
#include <doctest/doctest.h>

#include <vector>

#include "grade/cases/student_calls.hpp"

namespace dojo::harness {

/// Points of a test case, as a decorator: TEST_CASE("name" * points(3)). One point without it.
struct points {
  double value;
  explicit points(double v) : value(v) {}
  void fill(doctest::detail::TestCase& c) const;
};
inline void points::fill(doctest::detail::TestCase& c) const {
  points_at(c.m_file.c_str(), c.m_line) = value;
}

}  // namespace dojo::harness

/// The first elements, in messages.
template <class T>
struct doctest::StringMaker<std::vector<T>> {
  static doctest::String convert(const std::vector<T>& v) {
    doctest::String words = "{";
    for (size_t i = 0; i < v.size() && i < 8; ++i) words += (i ? ", " : "") + doctest::toString(v[i]);
    return words + (v.size() > 8 ? ", ...}" : "}");
  }
};

#ifdef WARPDOJO_TESTS  // by `grade --tests`: this file is all there is of a program
#include "grade/cases/doctest_reporter.hpp"
#endif
