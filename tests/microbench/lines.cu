// What a warp's load from the L1 takes of the load/store unit by how many lines its lanes touch and how their words fall on banks.
//   nvcc -O3 -std=c++17 -arch=sm_90 lines.cu -o lines && ./lines
// One block of 32 warps on one SM; every load hits. Cycles of the SM a load; and of one warp alone, a load in a chain.
#include <cstdio>

/// Words of 4 bytes. `lines` groups of lanes, each with a line of its own; group g starts at word g * shift of its line.
__device__ int first_word(int lane, int lines, int shift, int pitch) {
  const int wide = 32 / lines, group = lane / wide;
  return group * pitch + (group * shift + lane % wide) % 32;
}
__global__ void many(const int* data, int* out, int lines, int shift, int pitch, long long* cycles, int step) {
  const int* p = data + first_word(threadIdx.x % 32, lines, shift, pitch);
  int sum = 0, from = 0;
  for (int i = 0; i < 16; ++i) sum += p[i * 1024];  // brings the lines: 64 KiB and what the pitch adds
  __syncthreads();
  const long long a = clock64();
  for (int i = 0; i < 64; ++i) {
    int v[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      asm volatile("ld.global.ca.s32 %0, [%1];" : "=r"(v[k]) : "l"(p + from));
      from = (from + step) & 15 * 1024;  // not to be known at compile time: the same load twice would be one
    }
#pragma unroll
    for (int k = 0; k < 8; ++k) sum += v[k];
  }
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - a;
  out[threadIdx.x] = sum;
}
__global__ void one(const int* data, int* out, int lines, int shift, int pitch, long long* cycles) {
  const int* p = data + first_word(threadIdx.x, lines, shift, pitch);
  int at = 0;
  for (int i = 0; i < 4; ++i) at += p[at];
  const long long a = clock64();
  for (int i = 0; i < 512; ++i) asm volatile("ld.global.ca.s32 %0, [%1];" : "=r"(at) : "l"(p + at));
  if (at == 0) *cycles = clock64() - a;
  out[threadIdx.x] = at;
}

int main() {
  int *data, *out;
  long long *cycles, c[2];
  cudaMalloc((void**)&data, 1 << 20), cudaMalloc((void**)&out, 4096), cudaMalloc((void**)&cycles, 8);
  cudaMemset(data, 0, 1 << 20);
  for (int pitch : {32, 33, 64, 316})
    for (int lines : {1, 2, 4, 8, 16, 32})
      for (int how = 0; how < 2; ++how) {
        const int wide = 32 / lines, shift = how == 0 ? wide : 0;  // words on banks of their own, or all groups on the same ones
        if (pitch != 32 && how == 0 && pitch != 64) continue;      // these pitches shift by themselves
        for (int round = 0; round < 2; ++round) {
          many<<<1, 1024>>>(data, out, lines, shift, pitch, cycles, 1024);
          cudaMemcpy(c, cycles, 8, cudaMemcpyDeviceToHost);
          one<<<1, 32>>>(data, out, lines, shift, pitch, cycles);
          cudaMemcpy(c + 1, cycles, 8, cudaMemcpyDeviceToHost);
        }
        std::printf("pitch %3d words, %2d lines of %2d words, %s banks: %6.2f cycles a load, %6.1f in a chain\n", pitch, lines, wide,
                    how == 0 ? "own " : "same", double(c[0]) / (64 * 8 * 32), double(c[1]) / 512);
      }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
