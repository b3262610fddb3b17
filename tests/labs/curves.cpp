// The curves of the labs, and what briefs and predictions read off a run: every expression has a value.
#include <doctest/doctest.h>

#include <numeric>
#include <regex>

#include "../whole_suite.hpp"
#include "core/gates/gate.hpp"
#include "core/gates/step_values.hpp"
#include "lab_runs.hpp"

using namespace dojo;

namespace {

double at(const std::string& step, int64_t x) {
  const Step& s = test::catalog().find(step);
  const Report r = test::run(s, run::Who::reference, {}, s.curve.at(x), false);
  REQUIRE(r.runs.at(0).status == Status::pass);
  return expression_value(s.curve.y, s, r, r.runs.at(0));
}

}  // namespace

TEST_CASE("every number in a brief and every prediction has a value in a run") {
  test::Part part("steps with numbers");
  static const std::regex live(R"(\{\{([^}]*)\}\})");
  for (const auto& lab : test::catalog().labs)
    for (const auto& s : lab.steps) {
      if (!test::wanted(s)) continue;
      std::vector<std::string> expressions;
      for (std::sregex_iterator it(s.brief.begin(), s.brief.end(), live), end; it != end; ++it) {
        std::string e = (*it)[1];
        if (e.starts_with("reference:")) e.erase(0, 10);
        expressions.push_back(e);
      }
      if (!s.prediction.counter.empty()) expressions.push_back(s.prediction.counter);
      if (!s.curve.empty()) expressions.push_back(s.curve.y);
      if (expressions.empty() || !part.takes(s.id())) continue;
      try {
        // The student's run has inputs of its own, so the report carries the problem's quantities.
        const Report r =
            test::run(s, run::Who::student, test::catalog().reference_file(s).string(), {}, false);
        for (const auto& e : expressions) {
          try {
            expression_value(e, s, r, r.runs.at(0));
          } catch (const Error& error) {
            FAIL_CHECK(s.id() << ": {{" << e << "}}: " << error.what());
          }
        }
      } catch (const Error& error) {
        FAIL_CHECK(s.id() << ": " << error.what());
      }
    }
}

TEST_CASE("the extents of every curve are the step's") {
  for (const auto& lab : test::catalog().labs)
    for (const auto& s : lab.steps)
      if (!s.curve.empty())
        for (const auto& extent : s.curve.at(s.curve.values.front()))
          CHECK_MESSAGE(s.size.count(extent.first) == 1, s.id() << " has no extent " << extent.first);
}

TEST_CASE("curve of the strides: as many wavefronts as the stride and 32 have in common") {
  for (int64_t stride : {1, 2, 12, 16, 31, 32})
    CHECK(at("banks/stride", stride) == double(std::gcd(stride, int64_t(32))));
}

TEST_CASE("curve of the softmax tiers: registers ahead of shared memory ahead of three passes") {
  // At 1024 columns, all tiers with the same rows: the volume is the same for all.
  const double packs = at("softmax/packs", 1024), shared = at("softmax/block-shared", 1024),
               uncached = at("softmax/block-uncached", 1024), five = at("softmax/five-kernels", 1024);
  CHECK(packs > shared);
  CHECK(shared > uncached);
  CHECK(uncached > five);
}

TEST_CASE(
    "curve of the matmul tiers: each rises with N, and large tiles pay only once there are enough blocks") {
  CHECK(at("matmul/naive-columns", 256) > at("matmul/naive-rows", 256));
  CHECK(at("matmul/warp-tiled", 384) > 2 * at("matmul/warp-tiled", 128));
  // At 256 an H100 takes 12.9, 20.2 and 30.5 us: 64 blocks, 256 blocks, and only 16
  // (assets/recordings/h100.json).
  CHECK(at("matmul/block-tile", 256) > at("matmul/naive-columns", 256));
  CHECK(at("matmul/naive-columns", 256) > at("matmul/cooperative-fetch", 256));
}
