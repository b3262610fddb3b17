// A filter in constant memory, a __device__ counter, symbols read back.
#include <cstdio>

#define R 2
__constant__ float filter[2 * R + 1];
__device__ int calls = 0;
__managed__ int scale = 10;

__global__ void convolve(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int k = -R; k <= R; ++k)
    if (i + k >= 0 && i + k < n) s += in[i + k] * filter[k + R];
  out[i] = s * scale;
  atomicAdd(&calls, 1);
}

int main() {
  const int n = 8;
  float h[n], f[2 * R + 1] = {1, 2, 3, 2, 1};
  for (int i = 0; i < n; ++i) h[i] = i;
  cudaMemcpyToSymbol(filter, f, sizeof(f));
  float *in, *out;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  scale = 2;
  convolve<<<1, 32>>>(in, out, n);
  cudaDeviceSynchronize();
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  int c;
  cudaMemcpyFromSymbol(&c, calls, sizeof(c));
  for (int i = 0; i < n; ++i) printf("%g%c", h[i], i + 1 < n ? ' ' : '\n');
  void* address = nullptr;
  size_t bytes = 0;
  cudaGetSymbolAddress(&address, filter);
  cudaGetSymbolSize(&bytes, filter);
  printf("calls %d, filter %zu bytes, %s\n", c, bytes, address ? "placed" : "nowhere");
  cudaFree(in);
  cudaFree(out);
}
