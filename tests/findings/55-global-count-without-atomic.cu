// Race, global: the bins of a histogram are counted with ++.
#include <cstdio>
#include <vector>

__global__ void histogram(const unsigned char* x, int n, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) count[x[i] / 16]++;  // expect: race // fix: if (i < n) atomicAdd(&count[x[i] / 16], 1);
}

int main() {
  const int n = 1024;
  std::vector<unsigned char> h(n);
  for (int i = 0; i < n; ++i) h[i] = (unsigned char)(i * 7);
  unsigned char* x;
  int *count, r[16];
  cudaMalloc(&x, n);
  cudaMalloc(&count, sizeof r);
  cudaMemcpy(x, h.data(), n, cudaMemcpyHostToDevice);
  cudaMemset(count, 0, sizeof r);
  histogram<<<8, 128>>>(x, n, count);
  cudaMemcpy(r, count, sizeof r, cudaMemcpyDeviceToHost);
  printf("%d\n", r[0]);
  cudaFree(x);
  cudaFree(count);
}
