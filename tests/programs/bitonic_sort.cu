// Bitonic sort with many launches from a host loop, checked with std::is_sorted and std::sort.
#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

__global__ void exchange(int* x, int j, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ j;
  if (other > i) {
    bool up = (i & k) == 0;
    if ((x[i] > x[other]) == up) {
      int t = x[i];
      x[i] = x[other];
      x[other] = t;
    }
  }
}

int main() {
  const int n = 1024;
  std::mt19937 gen(42);
  std::uniform_int_distribution<int> dist(0, 999);
  std::vector<int> h(n);
  for (int& v : h) v = dist(gen);
  printf("first %d %d %d\n", h[0], h[1], h[2]);
  std::vector<int> want = h;
  std::sort(want.begin(), want.end());
  int* d;
  cudaMalloc(&d, n * sizeof(int));
  cudaMemcpy(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  int launches = 0;
  for (int k = 2; k <= n; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1, ++launches) exchange<<<n / 256, 256>>>(d, j, k);
  cudaMemcpy(h.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d);
  printf("%d launches, sorted %d, equal %d\n", launches, std::is_sorted(h.begin(), h.end()), h == want);
}
