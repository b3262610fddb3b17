#include "run/verdict/hoisted_loads.hpp"

#include <doctest/doctest.h>

#include "host_play.hpp"

using namespace dojo;

namespace {

/// What the optimised code shows of kernel k(int* a), with which main() runs blocks x 64 threads.
std::vector<Diagnostic> found(const std::string& kernel, int blocks = 1) {
  return host_test::play(kernel + R"(
int main() {
  int* a;
  cudaMalloc(&a, 4096);
  cudaMemset(a, 0, 4096);
  k<<<)" + std::to_string(blocks) +
                         R"(, 64>>>(a);
  cudaDeviceSynchronize();
  cudaFree(a);
})")
      .findings;
}

constexpr const char* moved_load = R"(
__global__ void k(int* a) {
  __shared__ int last;
  if (threadIdx.x == 0) last = a[0];
  if (__syncthreads_or(threadIdx.x == 0 && last)) a[threadIdx.x] = 1;
})";

}  // namespace

TEST_CASE("hoisted loads: a load that the optimiser moves in front of its condition may be its own") {
  const std::vector<Diagnostic> all = found(moved_load);
  REQUIRE(has_errors(all));
  CHECK(run::may_be_hoisted(all));
}

TEST_CASE("hoisted loads: what counts is the kind of access, not the words of the finding") {
  std::vector<Diagnostic> all = found(moved_load);
  REQUIRE(has_errors(all));
  for (Diagnostic& d : all) d.message = "anything";
  CHECK(run::may_be_hoisted(all));
  for (Diagnostic& d : all) d.facts = {.write = true};
  CHECK(!run::may_be_hoisted(all));
}

TEST_CASE("hoisted loads: two stores that race are the file's") {
  const std::vector<Diagnostic> all = found(R"(
__global__ void k(int* a) {
  __shared__ int s[2];
  s[threadIdx.x % 2] = a[threadIdx.x] + threadIdx.x;
  __syncthreads();
  a[threadIdx.x] = s[threadIdx.x % 2];
})");
  REQUIRE(has_errors(all));
  CHECK(!run::may_be_hoisted(all));
}

TEST_CASE("hoisted loads: a race between blocks is the file's, and so is what is beside a moved load") {
  std::vector<Diagnostic> between = found(R"(
__global__ void k(int* a) {
  if (blockIdx.x == 0) a[threadIdx.x] = threadIdx.x;
  else a[64 + threadIdx.x] = a[threadIdx.x];
})",
                                          2);
  REQUIRE(has_errors(between));
  CHECK(!run::may_be_hoisted(between));
  std::vector<Diagnostic> both = found(moved_load);
  both.insert(both.end(), between.begin(), between.end());
  CHECK(!run::may_be_hoisted(both));
}

TEST_CASE("hoisted loads: without an error there is nothing to ask, and warnings stay") {
  CHECK(!run::may_be_hoisted({}));
  std::vector<Diagnostic> all = found(moved_load);
  Diagnostic warning;
  warning.severity = Severity::warning;
  warning.kind = FindingKind::leak;
  all.push_back(warning);
  CHECK(run::may_be_hoisted(all));
  run::drop_errors(all);
  REQUIRE(all.size() == 1);
  CHECK(all[0].kind == FindingKind::leak);
  CHECK(!run::may_be_hoisted(all));
}
