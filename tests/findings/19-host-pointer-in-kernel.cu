// Wrong memory: the kernel is given the host's array in place of the device's.
#include <cstdio>
#include <cstdlib>

__global__ void increment(int* x, int n) {
  int i = threadIdx.x;
  if (i < n) x[i] += 1;  // expect: wrong_space // fix: if (i < n) x[i] += 1;
}

int main() {
  const int n = 100;
  int* host = (int*)malloc(n * sizeof(int));
  for (int i = 0; i < n; ++i) host[i] = i;
  int* device;
  cudaMalloc(&device, n * sizeof(int));
  cudaMemcpy(device, host, n * sizeof(int), cudaMemcpyHostToDevice);
  increment<<<1, 128>>>(host, n);  // fix: increment<<<1, 128>>>(device, n);
  cudaMemcpy(host, device, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", host[n - 1]);
  cudaFree(device);
  free(host);
}
