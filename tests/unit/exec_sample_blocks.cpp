// `exec --sample-blocks`: of a launch some blocks run in detail, the others for their results.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <map>

#include "../has.hpp"
#include "../near.hpp"
#include "exec_bench.hpp"
#include "simt/block_sample.hpp"

using namespace dojo;
using dojo::simt::BlockSample;
using dojo::test::has;
using namespace dojo::exec_test;
using dojo::tolerance::within;

namespace {

std::string runs(const BlockSample& s, uint64_t blocks) {
  std::string text;
  for (uint64_t b = 0; b < blocks; ++b) {
    if (!s.has(b)) continue;
    if (b == 0 || !s.has(b - 1)) text += (text.empty() ? "" : " ") + std::to_string(b) + "-";
    if (b + 1 == blocks || !s.has(b + 1)) text += std::to_string(b);
  }
  return text;
}

const std::string build = "$N -O2 -std=c++17 -o p p.cu";

/// A stencil on a plane, whose blocks at the edges do less, then one that reads what it wrote; a sum by
/// atomics that are used; and a kernel whose last block waits by a fence for the others.
const char* const sampled_program = R"cu(#include <cstdio>
__global__ void smooth(const float* a, float* b, int n) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
    b[y * n + x] = 0.25f * (a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x]);
  else
    b[y * n + x] = a[y * n + x];
}
__global__ void pick(const float* b, float* out, unsigned* count) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (b[i] > 3.5f) out[atomicAdd(count, 1u)] = b[i];
}
__global__ void add_up(const float* b, float* part, unsigned* done, float* sum) {
  __shared__ float s[256];
  __shared__ bool last;
  s[threadIdx.x] = b[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int k = 128; k; k /= 2) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    part[blockIdx.x] = s[0];
    __threadfence();
    last = atomicAdd(done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x) return;
  float all = 0;
  for (int i = 0; i < gridDim.x; ++i) all += ((volatile float*)part)[i];
  *sum = all;
}
int main() {
  const int n = 512;
  static float host[n * n];
  for (int i = 0; i < n * n; ++i) host[i] = float(i * 7 % 11);
  float *a, *b, *out, *part, *sum, total;
  unsigned *count, picked;
  cudaMalloc(&a, sizeof host), cudaMalloc(&b, sizeof host), cudaMalloc(&out, sizeof host);
  cudaMalloc(&part, n * n / 256 * 4), cudaMalloc(&sum, 4), cudaMalloc(&count, 8);
  cudaMemset(count, 0, 8);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  smooth<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(a, b, n);
  smooth<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(b, a, n);
  pick<<<n * n / 256, 256>>>(a, out, count);
  add_up<<<n * n / 256, 256>>>(a, part, count + 1, sum);
  cudaMemcpy(&total, sum, 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(&picked, count, 4, cudaMemcpyDeviceToHost);
  printf("%.9g %u %s\n", total, picked, cudaGetErrorName(cudaGetLastError()));
}
)cu";

}  // namespace

TEST_CASE("sampled blocks: a first run, and later ones that end with the last block") {
  CHECK(runs(BlockSample(1000, 40), 1000) == "0-19 340-345 665-671 993-999");
  CHECK(runs(BlockSample(10, 1), 10) == "0-0");
  CHECK(runs(BlockSample(10, 2), 10) == "0-0 9-9");
  CHECK(runs(BlockSample(5, 4), 5) == "0-2 4-4");
  for (uint64_t blocks = 1; blocks < 60; ++blocks)
    for (uint64_t wanted = 0; wanted < 70; ++wanted) {
      const BlockSample s(blocks, wanted);
      CAPTURE(blocks);
      CAPTURE(wanted);
      REQUIRE(s.whole() == (wanted == 0 || wanted >= blocks));
      uint64_t in_detail = 0, traced = 0;
      for (uint64_t b = 0; b < blocks; ++b) in_detail += s.has(b), traced += s.traced(b, 8);
      REQUIRE(in_detail == (s.whole() ? blocks : wanted));
      if (s.whole()) continue;
      REQUIRE(s.in_detail() == wanted);
      REQUIRE(traced == std::min<uint64_t>(wanted, 8));
    }
}

TEST_CASE("exec --sample-blocks: results are exact, figures near those of all blocks, and both say so") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", sampled_program);
  const Shell whole = b("$W exec --json whole.json --build \"" + build + "\" ./p");
  const Shell part = b("$W exec --sample-blocks 300 --json part.json ./p");
  CHECK(has(whole.out, "cudaSuccess"));
  CHECK(part.out == whole.out);
  CHECK(!has(part.err, "error"));
  CHECK(!has(whole.err, "~"));
  CHECK(has(part.err, "1 of 4 launches ran in detail, and of 3 the blocks that --sample-blocks asks for;"));
  CHECK(has(part.err, "~"));
  const auto launches = [&](const char* name) {
    return nlohmann::json::parse(read_or_empty(b.t.path / name))["runs"][0]["launches"];
  };
  const auto full = launches("whole.json"), sampled = launches("part.json");
  REQUIRE(full.size() == 4);
  REQUIRE(sampled.size() == 4);
  for (size_t i = 0; i < 4; ++i) {
    CAPTURE(full[i]["kernel"].get<std::string>());
    // A fence may order blocks: such a launch runs in detail as a whole.
    const bool fenced = full[i]["kernel"] == "add_up";
    CHECK(sampled[i]["counters"].value("dojo__blocks_in_detail", 0.0) == (fenced ? 0 : 300));
    CHECK(!full[i]["counters"].contains("dojo__blocks_in_detail"));
    const auto counter = [&](const auto& l, const char* name) { return l["counters"].value(name, -1.0); };
    for (const char* exact :
         {"smsp__inst_executed.sum", "smsp__thread_inst_executed.sum", "dojo__barriers.sum"})
      CHECK(counter(sampled[i], exact) == counter(full[i], exact));
    for (const char* near : {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                             "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "lts__t_bytes.sum"})
      CHECK(counter(sampled[i], near) == within(counter(full[i], near), 0.05));
    CHECK(sampled[i]["time_us"].get<double>() == within(full[i]["time_us"].get<double>(), 0.15));
  }
}

TEST_CASE("exec --sample-blocks: bounds are checked in all blocks, races in those in detail") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", R"cu(#include <cstdio>
#include <cstdlib>
__global__ void at_block(int* a, int which, int offset) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  if (blockIdx.x != which) __syncthreads();
  a[blockIdx.x * 64 + threadIdx.x + (blockIdx.x == which ? offset : 0)] = s[63 - threadIdx.x];
}
int main(int, char** argv) {
  int* a;
  cudaMalloc(&a, 1000 * 64 * 4);
  at_block<<<1000, 64>>>(a, atoi(argv[1]), atoi(argv[2]));
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
)cu");
  const Shell first = b("$W exec --sample-blocks 40 --build \"" + build + "\" ./p 3 0");
  CHECK(has(first.err, "race"));
  const Shell later = b("$W exec --sample-blocks 40 ./p 342 0");
  CHECK(has(later.err, "race"));
  const Shell unseen = b("$W exec --sample-blocks 40 ./p 100 0");
  CHECK(!has(unseen.err, "race"));
  CHECK(has(unseen.out, "cudaSuccess"));
  const Shell far = b("$W exec --sample-blocks 40 ./p 100 10000000");
  CHECK(has(far.out, "cudaErrorIllegalAddress"));
  CHECK(has(far.err, "p.cu:7"));
}
