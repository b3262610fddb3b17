// Copies by the copy engine (cp.async.bulk, tiles of 16 KiB through shared memory) beside plain ones.
//   nvcc -O3 -std=c++17 -arch=sm_90 bulk.cu -o bulk && ./bulk
// Shortest of 30, by events: MiB copied, blocks, us of the bulk copy, us of the plain one. A block waits for
// its tile before it stores it, and for the store before it loads the next.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>

constexpr int tile_bytes = 16384;

__global__ void bulk(const char* in, char* out, int tiles) {
  extern __shared__ __align__(128) char tile[];
  __shared__ __align__(8) unsigned long long barrier;
  const unsigned at = unsigned(__cvta_generic_to_shared(&barrier));
  const unsigned to = unsigned(__cvta_generic_to_shared(tile));
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at));
  __syncthreads();
  for (int t = blockIdx.x, phase = 0; t < tiles; t += gridDim.x, ++phase) {
    if (threadIdx.x == 0) {
      asm volatile("{.reg .b64 x; mbarrier.arrive.expect_tx.shared.b64 x, [%0], 16384;}" ::"r"(at)
                   : "memory");
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 16384, [%2];" ::"r"(
              to),
          "l"(in + size_t(t) * tile_bytes), "r"(at)
          : "memory");
    }
    int ended = 0;
    while (!ended)
      asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}"
                   : "=r"(ended)
                   : "r"(at), "r"(phase & 1)
                   : "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 16384;" ::"l"(
                       out + size_t(t) * tile_bytes),
                   "r"(to)
                   : "memory");
      asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
    }
    __syncthreads();
  }
}

__global__ void plain(const float4* in, float4* out, size_t n) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
    out[i] = in[i];
}

int main() {
  if (cudaFree(nullptr) != cudaSuccess) return printf("no GPU\n"), 1;
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  printf("# %s, bulk.cu: MiB copied, blocks, us of the bulk copy, us of the plain copy\n", p.name);
  cudaEvent_t e[3];
  for (auto& x : e) cudaEventCreate(&x);
  for (size_t mib : {8, 32, 128}) {
    const size_t bytes = mib << 20;
    char *in, *out;
    cudaMalloc(&in, bytes), cudaMalloc(&out, bytes), cudaMemset(in, 1, bytes);
    for (int blocks : {132, 528}) {
      float best[2] = {1e9f, 1e9f};
      for (int r = 0; r < 30; ++r) {
        cudaEventRecord(e[0]);
        bulk<<<blocks, 128, tile_bytes>>>(in, out, int(bytes / tile_bytes));
        cudaEventRecord(e[1]);
        plain<<<2 * blocks, 256>>>((const float4*)in, (float4*)out, bytes / 16);
        cudaEventRecord(e[2]);
        cudaDeviceSynchronize();
        for (int k = 0; k < 2; ++k) {
          float ms = 0;
          cudaEventElapsedTime(&ms, e[k], e[k + 1]);
          best[k] = std::min(best[k], ms * 1e3f);
        }
      }
      printf("%zu,%d,%.1f,%.1f\n", mib, blocks, best[0], best[1]);
    }
    cudaFree(in), cudaFree(out);
  }
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
