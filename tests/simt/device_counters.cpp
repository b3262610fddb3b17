// Counters of our own that gates look at: what lanes ask of atomics, local memory, reads of the clock.
#include "device_fixture.hpp"

using namespace dojo;
using dojo::test::Kernels;

namespace {
double count(const LaunchReport& r, const char* name) {
  const auto it = r.counters.find(name);
  return it == r.counters.end() ? -1 : it->second;
}
}  // namespace

TEST_CASE("counters: atomics on global memory count the bytes of their lanes") {
  Kernels k(R"(
__global__ void all(unsigned* x) { atomicAdd(x + threadIdx.x % 2, 1u); }
__global__ void some(unsigned long long* x) {
  if (threadIdx.x % 4 == 0) x[threadIdx.x + 1] = atomicMax(x, 5ull);
}
__global__ void in_shared(unsigned* x) {
  __shared__ unsigned s;
  if (threadIdx.x == 0) s = 0;
  __syncthreads();
  atomicAdd(&s, 1u);
  __syncthreads();
  x[threadIdx.x] = s;
}
)");
  const uint64_t x = k.buffer_of(std::vector<uint64_t>(128, 0));
  const char* name = "dojo__lane_bytes_global_atomics.sum";
  CHECK(count(k.run(k.spec("all", {3, 1, 1}, {64, 1, 1}, x)), name) == 3 * 64 * 4);
  CHECK(count(k.run(k.spec("some", {1, 1, 1}, {64, 1, 1}, x)), name) == 16 * 8);
  CHECK(count(k.run(k.spec("in_shared", {1, 1, 1}, {64, 1, 1}, x)), name) == 0);
}

TEST_CASE("counters: sectors of local memory stand in each report, and are zero without it") {
  Kernels k(R"(
__global__ void indexed(const int* at, float* x) {
  float a[16];
  for (int i = 0; i < 16; ++i) a[i] = x[i];
  for (int i = 0; i < 32; ++i) a[at[i]] += x[i];
  x[threadIdx.x + 16] = a[at[threadIdx.x]];
}
__global__ void plain(const int* at, float* x) { x[threadIdx.x] = float(at[threadIdx.x]); }
)");
  const uint64_t at = k.buffer_of(std::vector<int>(32, 3)), x = k.buffer_of(std::vector<float>(48, 1.f));
  const char* name = "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum";
  CHECK(count(k.run(k.spec("indexed", {1, 1, 1}, {32, 1, 1}, at, x)), name) >= 4);
  CHECK(count(k.run(k.spec("plain", {1, 1, 1}, {32, 1, 1}, at, x)), name) == 0);
}

TEST_CASE("counters: a read of the clock counts where the program uses its value") {
  Kernels k(R"(
__global__ void used(long long* x) {
  const long long start = clock64();
  x[1] = x[0] * 3;
  x[2] = clock64() - start;
}
__global__ void in_vain(long long* x) {
  const long long start = clock64();
  x[1] = x[0] * 3;
  const long long end = clock64();
  x[2] = 42;
}
)");
  const uint64_t x = k.buffer_of(std::vector<int64_t>(3, 7));
  CHECK(count(k.run(k.spec("used", {1, 1, 1}, {32, 1, 1}, x)), "ptx:%clock64") == 2);
  CHECK(count(k.run(k.spec("in_vain", {1, 1, 1}, {32, 1, 1}, x)), "ptx:%clock64") == -1);
}
