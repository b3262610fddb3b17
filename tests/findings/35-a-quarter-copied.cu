// Uninitialised, global: the copy is given in elements, so that a quarter of the array arrives.
#include <cstdio>
#include <vector>

__global__ void sum_rows(const int* m, int* out, int width) {
  int sum = 0;
  for (int k = 0; k < width; ++k) sum += m[threadIdx.x * width + k];  // expect: uninitialized // fix: for (int k = 0; k < width; ++k) sum += m[threadIdx.x * width + k];
  out[threadIdx.x] = sum;
}

int main() {
  const int width = 20, height = 32;
  std::vector<int> h(width * height, 1);
  int *m, *out;
  cudaMalloc(&m, h.size() * sizeof(int));
  cudaMalloc(&out, height * sizeof(int));
  cudaMemcpy(m, h.data(), h.size(), cudaMemcpyHostToDevice);  // fix: cudaMemcpy(m, h.data(), h.size() * sizeof(int), cudaMemcpyHostToDevice);
  sum_rows<<<1, height>>>(m, out, width);
  cudaMemcpy(h.data(), out, height * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[31]);
  cudaFree(m);
  cudaFree(out);
}
