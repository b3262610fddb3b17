// Race, shared: many threads add to one shared bin with ++.
#include <cstdio>
#include <vector>

__global__ void histogram(const int* x, int n, int* count) {
  __shared__ int bins[16];
  int t = threadIdx.x;
  if (t < 16) bins[t] = 0;
  __syncthreads();
  if (t < n) ++bins[x[t] & 15];  // expect: race // fix: if (t < n) atomicAdd(&bins[x[t] & 15], 1);
  __syncthreads();
  if (t < 16) count[t] = bins[t];
}

int main() {
  const int n = 256;
  std::vector<int> h(n);
  for (int i = 0; i < n; ++i) h[i] = i * i;
  int *x, *count, r[16];
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&count, sizeof r);
  cudaMemcpy(x, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  histogram<<<1, 256>>>(x, n, count);
  cudaMemcpy(r, count, sizeof r, cudaMemcpyDeviceToHost);
  printf("%d\n", r[0]);
  cudaFree(x);
  cudaFree(count);
}
