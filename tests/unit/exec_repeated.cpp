// `exec --sample`: launches that repeat an earlier one on unchanged memory do not run; all others do.
#include <doctest/doctest.h>

#include "../has.hpp"
#include "exec_bench.hpp"

using dojo::test::has;
using namespace dojo::exec_test;

namespace {

/// Each test of it prints what a GPU prints only if every launch runs that changes anything.
const char* const program = R"cu(#include <cstdio>
#include "arrays.hpp"
const int n = 64;
__constant__ int factor;
__device__ int offset;
__global__ void twice(const int* a, int* b) { b[threadIdx.x] = 2 * a[threadIdx.x]; }
__global__ void grow(int* a) { a[threadIdx.x] += 1; }
__global__ void scaled(const int* a, int* b) { b[threadIdx.x] = factor * a[threadIdx.x] + offset; }
__global__ void far(int* const* arrays, int k) { arrays[1][threadIdx.x] = arrays[0][threadIdx.x] + k; }
__global__ void count(const int* a, int* total) { atomicAdd(total, a[threadIdx.x]); }
__global__ void shift(int* offset_too) { offset = offset_too[0]; }
__global__ void first(const int* a, int* b) { if (blockIdx.x == gridDim.x - 1) b[0] = int(gridDim.x) + a[0]; }
int main(int argc, char**) {
  std::vector<int> ones(n, 1), threes(n, 3);
  int *a = device(ones), *b = device(ones), *c = device(ones), *total = device(std::vector<int>(n, 0));
  const auto say = [&](const char* what, const int* p) { printf("%s %d\n", what, host(p, n)[n - 1]); };
  if (argc > 1) {
    for (int i = 0; i < 100; ++i) twice<<<1, n>>>(a, b), twice<<<1, n>>>(b, c);
    say("unchanged", c);
    return 0;
  }
  for (int i = 0; i < 3; ++i) twice<<<1, n>>>(a, b);
  cudaMemcpy(a, threes.data(), n * 4, cudaMemcpyHostToDevice);
  twice<<<1, n>>>(a, b);
  say("input copied", b);
  cudaMemset(b, 0, n * 4);
  twice<<<1, n>>>(a, b);
  say("output filled", b);
  for (int i = 0; i < 5; ++i) grow<<<1, n>>>(a), twice<<<1, n>>>(a, b), twice<<<1, n>>>(b, c);
  say("input grows", c);
  grow<<<1, n>>>(b);
  twice<<<1, n>>>(a, b);
  say("output grows", b);
  for (int i = 1; i < 4; ++i) {
    for (int k = 0; k < 2; ++k) {
      cudaMemcpyToSymbol(factor, &i, 4);
      scaled<<<1, n>>>(a, b);
    }
    say("constant", b);
  }
  cudaMemset(c, 0, 4);
  shift<<<1, 1>>>(c);
  scaled<<<1, n>>>(a, b);
  say("variable", b);
  grow<<<1, n>>>(c);
  shift<<<1, 1>>>(c);
  scaled<<<1, n>>>(a, b);
  say("variable set by a kernel", b);
  int** arrays = device(std::vector<int*>{a, b});
  for (int i = 0; i < 4; ++i) far<<<1, n>>>(arrays, i / 2);
  say("by pointers in memory", b);
  std::vector<int*> turned{b, c};
  cudaMemcpy(arrays, turned.data(), 16, cudaMemcpyHostToDevice);
  far<<<1, n>>>(arrays, 1);
  say("other pointers", c);
  for (int i = 0; i < 5; ++i) count<<<1, n>>>(a, total);
  printf("atomics %d\n", host(total, 1)[0]);
  int* shared;
  cudaMallocManaged(&shared, n * 4);
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < n; ++k) shared[k] = i;
    twice<<<1, n>>>(shared, b);
    cudaDeviceSynchronize();
  }
  say("managed", b);
  for (int blocks : {4, 5, 4}) first<<<blocks, n>>>(a, b);
  printf("blocks %d\n", host(b, 1)[0] - host(a, 1)[0]);
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  for (int i = 0; i < 4; ++i) {
    grow<<<1, n, 0, s>>>(a);
    twice<<<1, n, 0, s>>>(a, b);
    twice<<<1, n, 0, t>>>(total, c);
    cudaDeviceSynchronize();
  }
  say("streams", b);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
)cu";

}  // namespace

TEST_CASE("exec --sample: launches on unchanged memory do not run, and every launch that changes some does") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", program);
  const Shell whole = b(build_and_run);
  CHECK(whole.status == 0);
  CHECK(has(whole.out, "cudaSuccess"));
  const Shell part = b("$W exec --sample 1 ./p");
  CHECK(part.status == 0);
  CHECK(part.out == whole.out);
  const Shell unchanged = b("$W exec --no-time --sample 1 ./p unchanged");
  CHECK(unchanged.out == "unchanged 4\n");
  // The first launch runs in detail, the second with other arrays.
  CHECK(has(unchanged.err, " 198 repeated an earlier launch on unchanged memory and did not run."));
  CHECK(!has(b("$W exec --no-time ./p unchanged").err, "did not run"));
}
