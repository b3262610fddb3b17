// Race, shared: the inner steps of a bitonic sort are not separated.
#include <cstdio>
#include <vector>

__global__ void sort(int* x) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int k = 2; k <= 128; k *= 2) {
    for (int j = k / 2; j > 0; j /= 2) {
      int other = t ^ j;
      if (other > t) {
        bool up = (t & k) == 0;
        int a = s[t], b = s[other];  // expect: race // fix: int a = s[t], b = s[other];
        if ((a > b) == up) {
          s[t] = b;
          s[other] = a;
        }
      }
      // fix: __syncthreads();
    }
    __syncthreads();
  }
  x[t] = s[t];
}

int main() {
  const int n = 128;
  std::vector<int> h(n);
  for (int i = 0; i < n; ++i) h[i] = (i * 73) % 128;
  int* x;
  cudaMalloc(&x, n * sizeof(int));
  cudaMemcpy(x, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  sort<<<1, n>>>(x);
  cudaMemcpy(h.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[127]);
  cudaFree(x);
}
