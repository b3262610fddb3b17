// Use after free: the input is freed before the kernel that reads it is launched.
#include <cstdio>
#include <vector>

__global__ void copy(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];  // expect: use_after_free // fix: if (i < n) out[i] = in[i];
}

int main() {
  const int n = 200;
  std::vector<int> h(n, 5);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaFree(in);  // fix:
  copy<<<2, 128>>>(in, out, n);
  cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[n - 1]);
  // fix: cudaFree(in);
  cudaFree(out);
}
