// A fragment is loaded from an address behind its tile, by an offset below 0.
#include <cstdio>
#include <cuda_fp16.h>

__global__ void first_words(unsigned* out) {
  __shared__ __align__(32) half tile[256];
  for (int i = threadIdx.x; i < 256; i += 32) tile[i] = __float2half(float(i % 8));
  __syncthreads();
  const unsigned at = unsigned(__cvta_generic_to_shared(tile));
  unsigned r[8];
  asm volatile(
      "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8+-64], 16;"
      : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
      : "l"(size_t(at) + 64)
      : "memory");
  out[threadIdx.x] = r[0];
}

int main() {
  unsigned *out, h[32];
  cudaMalloc(&out, sizeof h);
  first_words<<<1, 32>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%s, lane 0 has %08x\n", cudaGetErrorName(cudaGetLastError()), h[0]);
  cudaFree(out);
}
