// Operations of a warp whose lanes name different groups of it: cycles and instructions by the number of
// groups. ptxas has two ways where the mask is in a register: one operation where all lanes have one mask,
// else WARPSYNC, which sends the groups on one after another.
//   nvcc -O3 -std=c++17 -arch=sm_90 groups.cu -o groups && ./groups
// Under `ncu --csv --metrics smsp__inst_executed.sum` the instructions too: two launches a line. 256
// operations one after another, by each warp of one block; cycles of its first warp, by clock64().
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kTimes = 256;
enum class Operation { add, shuffle, any, ballot, sync, match };

template <Operation OP>
__device__ int apply(unsigned mask, int v) {
  if (OP == Operation::add) return __reduce_add_sync(mask, v);
  if (OP == Operation::shuffle) return __shfl_sync(mask, v, __ffs(mask) - 1);
  if (OP == Operation::any) return __any_sync(mask, v);
  if (OP == Operation::ballot) return int(__ballot_sync(mask, v));
  if (OP == Operation::match) return int(__match_any_sync(mask, v));
  __syncwarp(mask);
  return v + 1;
}

/// Lane l is of group l % groups (`apart`), or of group l * groups / 32.
template <Operation OP>
__global__ void operate(int* out, int groups, bool apart, int zero, long long* cycles) {
  const int lane = threadIdx.x % 32;
  const unsigned mask = __match_any_sync(0xffffffffu, apart ? lane % groups : lane * groups / 32);
  int v = lane & zero;
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int k = 0; k < kTimes; ++k) v = apply<OP>(mask, v) & zero;
  __syncwarp();
  if (threadIdx.x == 0) *cycles = clock64() - start;
  out[threadIdx.x] = v;
}

template <Operation OP>
static void measure(const char* name, int* out, long long* cycles) {
  for (bool apart : {false, true})
    for (int warps : {1, 4, 8, 16})
      for (int groups : {1, 2, 3, 4, 8, 16, 32}) {
        if (apart && warps != 1) continue;
        for (int pass = 0; pass < 2; ++pass) operate<OP><<<1, 32 * warps>>>(out, groups, apart, 0, cycles);
        long long c = 0;
        cudaMemcpy(&c, cycles, 8, cudaMemcpyDeviceToHost);
        printf("%-7s %-8s %2d warps %2d groups  %7.1f cycles\n", name, apart ? "apart" : "together", warps,
               groups, double(c) / kTimes);
      }
}

int main() {
  int* out;
  long long* cycles;
  if (cudaMalloc((void**)&out, 4096) != cudaSuccess || cudaMalloc((void**)&cycles, 8) != cudaSuccess)
    return printf("no GPU\n"), 1;
  measure<Operation::add>("add", out, cycles);
  measure<Operation::shuffle>("shuffle", out, cycles);
  measure<Operation::any>("any", out, cycles);
  measure<Operation::ballot>("ballot", out, cycles);
  measure<Operation::sync>("sync", out, cycles);
  measure<Operation::match>("match", out, cycles);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
