// `exec --sample`: a kernel's first launches run in detail, the others for their results.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "../has.hpp"
#include "../near.hpp"
#include "core/host_work.hpp"
#include "core/native/kernel_table.hpp"
#include "core/native/launch_samples.hpp"
#include "exec_bench.hpp"

using namespace dojo;
using dojo::test::has;
using namespace dojo::exec_test;
using dojo::tolerance::within;

namespace {

LaunchSpec sized(uint32_t blocks, uint32_t threads) {
  LaunchSpec s;
  s.grid = {blocks, 1, 1}, s.block = {threads, 1, 1};
  return s;
}

LaunchReport of_results(const char* kernel, double instructions) {
  LaunchReport l;
  l.kernel = kernel;
  l.counters[opcode_prefix] = instructions;
  return l;
}

/// A kernel whose launches grow, one that adds to a word, and one that reads what a kernel wrote.
const char* const program = R"cu(#include <cstdio>
__global__ void fill(float* a, int n, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = float(i % 7) + float(step);
}
__global__ void smooth(const float* a, float* b, int n) {
  __shared__ float tile[258];
  int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x + 1] = a[i];
  if (threadIdx.x == 0) tile[0] = i ? a[i - 1] : 0;
  if (threadIdx.x == 255) tile[257] = i + 1 < n ? a[i + 1] : 0;
  __syncthreads();
  b[i] = (tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2]) / 3;
}
__global__ void add_up(const float* b, float* sum) { atomicAdd(sum, b[blockIdx.x * 256 + threadIdx.x]); }
int main() {
  const int n = 32 * 256;
  float *a, *b, *sum, host;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&sum, sizeof(float));
  cudaMemset(sum, 0, sizeof(float));
  for (int step = 0; step < 12; ++step) {
    fill<<<32, 256>>>(a, n, step);
    smooth<<<32, 256>>>(a, b, n);
    add_up<<<32, 256>>>(b, sum);
  }
  cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost);
  printf("%.9g %s\n", host, cudaGetErrorName(cudaGetLastError()));
}
)cu";

nlohmann::json report_in(const ExecBench& b, const char* name) {
  return nlohmann::json::parse(read_or_empty(b.t.path / name));
}

}  // namespace

TEST_CASE("sampling: the first launches of each kernel and size run in detail") {
  LaunchSamples s;
  s.first = 2;
  const auto detail = [&](const char* kernel, uint32_t blocks, uint32_t threads) {
    return s.in_detail(kernel, sized(blocks, threads));
  };
  CHECK(detail("a", 100, 256));
  CHECK(detail("a", 101, 256));
  CHECK(!detail("a", 100, 256));
  CHECK(detail("a", 100, 128));
  CHECK(detail("a", 200, 256));
  CHECK(detail("b", 100, 256));
  s.looking = false;
  CHECK(!detail("c", 1, 1));
  s.looking = true;
  s.first = 0;
  for (int i = 0; i < 5; ++i) CHECK(detail("a", 100, 256));
}

TEST_CASE("sampling: an estimate is in proportion to the launch in detail that is most like it") {
  LaunchSamples s;
  s.first = 1;
  const auto learn = [&](double instructions, double us, double sectors) {
    LaunchReport l;
    l.kernel = "k";
    l.time_us = us;
    l.bounds = {{"dram", us / 2}};
    l.counters = {{"ptx:add.s32", instructions - 1},
                  {"ptx:ret", 1},
                  {"ptx:%tid", 500},
                  {"sectors.sum", sectors},
                  {"hits.pct", 50}};
    s.learn(l);
  };
  learn(1000, 10, 64);
  learn(9000, 50, 640);
  LaunchReport l = of_results("k", 2000);
  CHECK(results_only(l));
  CHECK(s.estimate_us(l) == within(20));
  REQUIRE(s.estimate(l));
  CHECK(l.time_us == within(20));
  CHECK(l.bounds["dram"] == within(10));
  CHECK(l.counters["sectors.sum"] == within(128));
  CHECK(!l.counters.count("hits.pct"));
  LaunchReport big = of_results("k", 8000), other = of_results("unknown", 10);
  CHECK(s.estimate_us(big) == within(50 * 8.0 / 9));
  CHECK(s.estimate_us(other) == 0);
  CHECK(!s.estimate(other));
}

TEST_CASE(
    "exec --sample: results are exact, estimates near the full run's, and both table and report say so") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", program);
  const Shell whole = b("$W exec --json whole.json --build \"$N -O2 -std=c++17 -o p p.cu\" ./p");
  const Shell part = b("$W exec --sample 2 --json part.json ./p");
  CHECK(whole.status == 0);
  CHECK(has(whole.out, "cudaSuccess"));
  CHECK(part.out == whole.out);
  CHECK(part.status == 0);
  CHECK(!has(part.err, "error"));
  CHECK(!has(whole.err, "in detail"));
  CHECK(has(part.err, "in detail"));
  CHECK(has(part.err, "6 of 36 launches ran in detail"));
  CHECK(has(part.err, "~"));

  const auto full = report_in(b, "whole.json"), sampled = report_in(b, "part.json");
  CHECK(!full.contains("kernels"));
  CHECK(full["runs"][0]["launches"].size() == 36);
  CHECK(sampled["runs"][0]["launches"].size() == 6);
  REQUIRE(sampled["kernels"].size() == 3);
  for (const auto& k : sampled["kernels"]) {
    CHECK(k["launches"] == 12);
    CHECK(k["in_detail"] == 2);
    CHECK(k["estimated"] == true);
    double time_us = 0;
    std::map<std::string, double> sums;
    for (const auto& l : full["runs"][0]["launches"]) {
      if (l["kernel"] != k["kernel"]) continue;
      time_us += l["time_us"].get<double>();
      for (const auto& [name, value] : l["counters"].items()) sums[name] += value.get<double>();
    }
    CHECK(k["time_us"].get<double>() == within(time_us, 0.1));
    for (const char* name : {"smsp__inst_executed.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                             "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"})
      CHECK(k["counters"].value(name, 0.0) == within(sums[name], 0.001));
  }
}

TEST_CASE(
    "exec: what launches without checks wrote counts as written, and their accesses are still bounded") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", R"cu(#include <cstdio>
__global__ void fill(int* a) { a[threadIdx.x] = int(threadIdx.x); }
__global__ void twice(const int* a, int* b) { b[threadIdx.x] = 2 * a[threadIdx.x]; }
__global__ void far(int* a, int offset) { a[threadIdx.x + offset] = 1; }
int main(int argc, char**) {
  int *a, *b, host[32];
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  if (argc > 1) twice<<<1, 32>>>(a, b);
  fill<<<1, 32>>>(a);
  twice<<<1, 32>>>(a, b);
  cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d\n", host[31]);
  for (int i = 0; i < 4; ++i) far<<<1, 32>>>(a, i == 3 ? 1 << 20 : 0);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
)cu");
  const Shell only = b("$W exec --only twice --build \"$N -O2 -std=c++17 -o p p.cu\" ./p");
  CHECK(has(only.out, "62\n"));
  CHECK(!has(only.err, "nothing has written"));
  const Shell unwritten = b("$W exec --sample 1 ./p unwritten");
  CHECK(has(unwritten.err, "nothing has written"));
  const Shell far = b("$W exec --sample 1 ./p");
  CHECK(has(far.out, "62\ncudaErrorIllegalAddress"));
  CHECK(has(far.err, "p.cu:4"));
}

TEST_CASE("exec: launches that wait in a queue have no memory for their blocks yet") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  // What a block leaves is 40 bytes: 800 MB for all launches at once.
  b.t.write("p.cu", R"cu(#include <sys/resource.h>
#include <cstdio>
__global__ void count(int* total) {
  if (blockIdx.x == 0) ++*total;
}
int main() {
  int *total, host = 0;
  cudaMalloc(&total, 4);
  cudaMemset(total, 0, 4);
  for (int i = 0; i < 200; ++i) count<<<100000, 1>>>(total);
  cudaMemcpy(&host, total, 4, cudaMemcpyDeviceToHost);
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  printf("%d %s\n", host, used.ru_maxrss < 500 << 10 ? "below 500 MB" : "too much");
}
)cu");
  const Shell s = b("$W exec --no-time --no-check --sample 1 --build \"$N -O2 -o p p.cu\" ./p");
  CHECK(s.status == 0);
  CHECK(s.out == "200 below 500 MB\n");
}
