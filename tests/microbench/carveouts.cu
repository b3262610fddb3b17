// What a launch pays for its shared memory: behind a kernel without any, and behind itself. An SM's L1 and shared memory are one
// memory, shared out anew when a launch needs another part of it than the one before.
//   nvcc -O3 -std=c++17 -arch=sm_90 carveouts.cu -o carveouts && ./carveouts
// Microseconds: `behind` is a graph of (empty the L2, kernel) less one of (empty the L2), `again` what the same kernel takes right behind
// it, `alone` launch behind launch; `asked` is `behind` where the kernel that empties the L2 asks for the largest shared memory too.
#include <cstdio>

#include "replay.cuh"

__global__ void small(int* out, int words) {
  extern __shared__ int s[];
  if (words) s[threadIdx.x] = int(threadIdx.x);
  __syncthreads();
  if (words && s[(threadIdx.x + 1) % blockDim.x] == -1) *out = 1;
}

int main() {
  int* out;
  if (!replay_ready() || cudaMalloc((void**)&out, 4) != cudaSuccess) return std::printf("no GPU\n"), 1;
  cudaFuncSetAttribute(small, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10);
  const double nothing = replay(true, nullptr);
  for (unsigned blocks : {1u, 132u, 768u})
    for (unsigned threads : {128u, 1024u})
      for (unsigned bytes : {0u, 1u << 10, 4u << 10, 8u << 10, 16u << 10, 32u << 10, 100u << 10, 200u << 10}) {
        if (bytes && bytes < threads * 4) continue;
        const auto launch = [&] { small<<<blocks, threads, bytes, g_stream>>>(out, bytes ? 1 : 0); };
        cudaFuncSetAttribute(empty, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutDefault);
        const double behind = replay(true, launch) - nothing, again = replay(true, [&] { launch(), launch(); }) - nothing - behind;
        const double alone = replay(false, launch);
        cudaFuncSetAttribute(empty, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared);
        const double asked = replay(true, launch) - replay(true, nullptr);
        std::printf("carveouts %4u blocks, %4u threads, %6u bytes  behind %7.3f us, again %7.3f, alone %7.3f, asked %7.3f\n", blocks, threads, bytes, behind,
                    again, alone, asked);
      }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
