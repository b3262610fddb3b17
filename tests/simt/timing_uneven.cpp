// Launches in which one block has far more work than all others, as the longest row of a sparse matrix.
#include <doctest/doctest.h>

#include <numeric>

#include "device_fixture.hpp"
#include "ptx/flow/data_loops.hpp"

using namespace dojo;
using dojo::test::Kernels;

namespace {

const char* const rows_source = R"(
__global__ void rows(const int* start, const int* column, const float* x, float* y) {
  float sum = 0;
  for (int k = start[blockIdx.x] + threadIdx.x; k < start[blockIdx.x + 1]; k += 32) sum += x[column[k]];
  y[blockIdx.x * 32 + threadIdx.x] = sum;
}
__global__ void steps(const float* x, float* y, int n) {
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += 32) sum += x[k];
  y[threadIdx.x] = sum;
}
__global__ void converge(float* y, float most) {
  float z = y[threadIdx.x];
  while (z < most) z = z * z + 1;
  y[threadIdx.x] = z;
})";

/// Microseconds of a matrix of `rows` rows with 4 elements each, but row `longest`, which has 8192.
double time_us(Kernels& k, int rows, int longest) {
  std::vector<int> start{0};
  for (int r = 0; r < rows; ++r) start.push_back(start.back() + (r == longest ? 8192 : 4));
  std::vector<int> column(size_t(start.back()));
  std::iota(column.begin(), column.end(), 0);
  const uint64_t s = k.buffer_of(start), c = k.buffer_of(column),
                 x = k.buffer_of(std::vector<float>(column.size(), 1.0f)), y = k.buffer(uint64_t(rows) * 128);
  k.device->take_launches();
  k.device->cold_caches();
  REQUIRE(k.device->launch(k.spec("rows", {uint32_t(rows), 1, 1}, {32, 1, 1}, s, c, x, y)).ok());
  REQUIRE(k.device->synchronize().ok());
  const auto launches = k.device->take_launches();
  REQUIRE(launches.size() == 1);
  return launches[0].time_us;
}

}  // namespace

TEST_CASE("the longest of many rows takes as long as it takes alone, wherever it is") {
  Kernels k(rows_source);
  const double alone = time_us(k, 1, 0);
  for (const int longest : {0, 77, 500}) {
    const double among = time_us(k, 1000, longest);
    CAPTURE(longest);
    CHECK(among > 0.8 * alone);
    CHECK(among < 1.25 * alone);
  }
}

TEST_CASE("a loop up to a parameter has no data, one up to a loaded bound or until a float converges has") {
  const Kernels k(rows_source);
  const auto has = [&](const char* name) { return ptx::has_data_loop(*k.module->find_base(name, true)); };
  CHECK(has("rows"));
  CHECK(has("converge"));
  CHECK_FALSE(has("steps"));
}
