// What a load of a constant takes, and whether it waits behind loads of global or shared memory.
//   nvcc -O3 -std=c++17 -arch=sm_90 constants.cu -o constants && ./constants
// Cycles of one SM: a chain of loads each of which gives the address of the next, of lanes that agree or go to 2 to 32 words; loads
// that don't wait for each other, by warps; and the chain beside warps whose loads hit the L1, of one line or of 32 words in one bank.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "constants.cuh"

int main() {
  std::vector<int> host(8192);
  for (int i = 0; i < 8192; ++i) host[i] = i;
  cudaMemcpyToSymbol(table, host.data(), sizeof(int) * 8192);
  int *in, *out;
  long long *cycles, c[32];
  cudaMalloc((void**)&in, 1 << 20), cudaMalloc((void**)&out, 1 << 16), cudaMalloc((void**)&cycles, 4096);
  cudaMemset(in, 0, 1 << 20);
  for (int stride : {1, 16, 64})
    for (int ways : {1, 2, 4, 8, 16, 32}) {
      for (int k = 0; k < 2; ++k) chain<<<1, 32>>>(64, ways, stride, out, cycles);
      cudaMemcpy(c, cycles, 8, cudaMemcpyDeviceToHost);
      std::printf("chain, %2d words %3d bytes apart: %6.1f cycles a load\n", ways, 4 * stride, double(c[0]) / 512);
    }
  for (int ways : {1, 4})
    for (int warps : {1, 4, 8, 16, 32}) {
      for (int k = 0; k < 2; ++k) many<<<1, 32 * warps>>>(64, ways, out, cycles);
      cudaMemcpy(c, cycles, 8 * warps, cudaMemcpyDeviceToHost);
      std::printf("apart, %d words, %2d warps: %6.2f cycles a load of the SM\n", ways, warps, double(*std::max_element(c, c + warps)) / (512.0 * warps));
    }
  const char* names[] = {"nothing", "global, a line", "global, one bank", "shared, one bank"};
  for (int way = 0; way < 4; ++way)
    for (int warps : {2, 8, 16}) {
      for (int k = 0; k < 2; ++k) beside<<<1, 32 * warps>>>(256, way, in, out, cycles);
      cudaMemcpy(c, cycles, 8, cudaMemcpyDeviceToHost);
      std::printf("chain beside %2d warps that load %-17s %6.1f cycles a load\n", warps - 1, names[way], double(c[0]) / 2048);
    }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
