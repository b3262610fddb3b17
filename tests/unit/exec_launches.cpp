// `exec`: kernels that launch kernels (nvcc -rdc=true).
#include <doctest/doctest.h>

#include "../has.hpp"
#include "exec_bench.hpp"

using namespace dojo;
using dojo::test::has;
using namespace dojo::exec_test;

TEST_CASE("exec: kernels launch kernels, in order, and each runs with all that it launches") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", R"cu(#include <cstdio>

// Adds the numbers from first to first + count - 1 into *sum. Halves of more than four are own launches.
__global__ void add_up(int first, int count, int* sum) {
  if (count > 4) {
    add_up<<<1, 1>>>(first, count / 2, sum);
    add_up<<<1, 1>>>(first + count / 2, count - count / 2, sum);
    return;
  }
  for (int i = 0; i < count; ++i) atomicAdd(sum, first + i);
}

__global__ void append(int digit, long long* number) { *number = *number * 10 + digit; }

__global__ void print_number(const long long* number) { printf("in order: %lld\n", *number); }

// The last launch is made first, and runs after all others.
__global__ void in_order(long long* number) {
  print_number<<<1, 1, 0, cudaStreamTailLaunch>>>(number);
  for (int digit = 1; digit <= 5; ++digit) append<<<1, 1>>>(digit, number);
}

__global__ void fill(int* to, int value) {
  to[blockIdx.x * blockDim.x + threadIdx.x] = value + int(threadIdx.x);
}

__global__ void print_sum(const int* of, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += of[i];
  printf("filled: %d\n", sum);
}

// Each thread fills a part through a launch of its own.
__global__ void fill_in_parts(int* to) {
  cudaStream_t mine;
  cudaStreamCreateWithFlags(&mine, cudaStreamNonBlocking);
  fill<<<2, 32, 0, mine>>>(to + 64 * threadIdx.x, 100 * int(threadIdx.x));
  printf("launch: %d\n", int(cudaGetLastError()));
  cudaStreamDestroy(mine);
}

int main() {
  int* sum;
  long long* number;
  int* parts;
  cudaMallocManaged(&sum, sizeof *sum);
  cudaMallocManaged(&number, sizeof *number);
  cudaMalloc(&parts, 4 * 64 * sizeof *parts);
  *sum = 0;
  *number = 0;
  add_up<<<1, 1>>>(1, 100, sum);
  cudaDeviceSynchronize();
  printf("sum: %d\n", *sum);
  in_order<<<1, 1>>>(number);
  fill_in_parts<<<1, 4>>>(parts);
  print_sum<<<1, 1>>>(parts, 4 * 64);
  printf("status: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(sum);
  cudaFree(number);
  cudaFree(parts);
}
)cu");
  const Shell s = b("$W exec --build \"$N -rdc=true -std=c++17 -o p p.cu\" ./p");
  CHECK(s.status == 0);
  CHECK(s.out == R"(sum: 5050
in order: 12345
launch: 0
launch: 0
launch: 0
launch: 0
filled: 42368
status: cudaSuccess
)");
  CHECK(has(s.err, "append"));
  CHECK(!has(s.err, "race"));
}

TEST_CASE("exec: a launch in a kernel that can't run is told at its line") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", R"cu(#include <cstdio>
__global__ void child() {}
__global__ void deeper(int n) {
  if (n) deeper<<<1, 1>>>(n - 1);
}
__global__ void parent() {
  child<<<1, 2000>>>();
}
int main(int argc, char**) {
  if (argc > 1)
    deeper<<<1, 1>>>(40);
  else
    parent<<<1, 1>>>();
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
)cu");
  const Shell s = b("$W exec --build \"$N -rdc=true -std=c++17 -o p p.cu\" ./p");
  CHECK(has(s.err, "p.cu:7"));
  CHECK(has(s.err, "launch of child in a kernel failed"));
  CHECK(has(b("$W exec ./p deep").err, "nested deeper than 24"));
}

TEST_CASE("exec: a kernel that waits for the host lets the host queue kernels of other files behind it") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("gate.cu", R"cu(
__global__ void wait_at_gate(volatile int* gate, int* passed) {
  while (*gate == 0) {
  }
  *passed += 1;
}
)cu");
  b.t.write("p.cu", R"cu(#include <cstdio>
__global__ void wait_at_gate(volatile int* gate, int* passed);
__global__ void copy(const int* passed, int* seen) { *seen = 10 * *passed; }
int main() {
  int *gate, *seen, *passed;
  cudaMallocHost(&gate, sizeof(int));
  cudaMallocManaged(&seen, sizeof(int));
  cudaMalloc(&passed, sizeof(int));
  cudaMemset(passed, 0, sizeof(int));
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaEvent_t before, behind;
  cudaEventCreate(&before);
  cudaEventCreate(&behind);
  for (int round = 1; round <= 3; ++round) {
    *gate = 0;
    cudaEventRecord(before, s);
    wait_at_gate<<<1, 1, 0, s>>>(gate, passed);
    copy<<<1, 1, 0, s>>>(passed, seen);
    wait_at_gate<<<1, 1, 0, s>>>(gate, passed);
    copy<<<1, 1, 0, s>>>(passed, seen);
    cudaEventRecord(behind, s);
    float ms = 0;
    if (cudaEventElapsedTime(&ms, before, behind) != cudaErrorNotReady) printf("too early\n");
    *gate = 1;
    cudaStreamSynchronize(s);
    cudaEventElapsedTime(&ms, before, behind);
    printf("%d %s\n", *seen, ms > 0 && ms < 1 ? "in time" : "out of time");
  }
  // A copy takes its place behind what is queued, too.
  int passes = 0;
  wait_at_gate<<<1, 1, 0, s>>>(gate, passed);
  copy<<<1, 1, 0, s>>>(passed, seen);
  cudaMemcpyAsync(&passes, passed, sizeof(int), cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  printf("%d %d %s\n", *seen, passes, cudaGetErrorName(cudaDeviceSynchronize()));
}
)cu");
  const Shell s = b("$W exec --build \"$N -O2 -std=c++17 -o p p.cu gate.cu\" ./p");
  CHECK(b("$W exec --sample 1 ./p").out == s.out);
  CHECK(s.status == 0);
  CHECK(s.out == "20 in time\n40 in time\n60 in time\n70 7 cudaSuccess\n");
  CHECK(!has(s.err, "Deadlock"));
}
