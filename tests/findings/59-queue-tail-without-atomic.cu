// Race, global: survivors are appended to a list whose length is counted with ++.
#include <cstdio>
#include <vector>

__global__ void keep_even(const int* x, int n, int* list, int* length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] % 2 == 0) {
    int at = (*length)++;  // expect: race // fix: int at = atomicAdd(length, 1);
    list[at] = x[i];
  }
}

int main() {
  const int n = 256;
  std::vector<int> h(n);
  for (int i = 0; i < n; ++i) h[i] = i;
  int *x, *list, *length, r;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&list, n * sizeof(int));
  cudaMalloc(&length, sizeof(int));
  cudaMemcpy(x, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(length, 0, sizeof(int));
  keep_even<<<2, 128>>>(x, n, list, length);
  cudaMemcpy(&r, length, sizeof r, cudaMemcpyDeviceToHost);
  printf("%d\n", r);
  cudaFree(x);
  cudaFree(list);
  cudaFree(length);
}
