// A kernel template that is chosen at run time and launched through a pointer.
#include <cstdio>

template <int factor>
__global__ void scale(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= factor;
}

int main() {
  const int n = 4;
  int host[n] = {1, 2, 3, 4};
  int* x;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  for (int round = 0; round < 3; ++round) {
    auto kernel = round == 0 ? scale<2> : round == 1 ? scale<3> : scale<5>;
    cudaFuncAttributes a;
    if (cudaFuncGetAttributes(&a, reinterpret_cast<const void*>(kernel)) != cudaSuccess) return 1;
    kernel<<<1, 32>>>(x, n);
  }
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  for (int v : host) printf("%d\n", v);
  cudaFree(x);
  return 0;
}
