// Streams with pinned memory and asynchronous copies.
#include <iostream>

__global__ void twice(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}

int main() {
  const int n = 4096, parts = 4, chunk = n / parts;
  int *h, *d;
  cudaMallocHost(&h, n * sizeof(int));
  cudaMalloc(&d, n * sizeof(int));
  for (int i = 0; i < n; i++) h[i] = i;
  cudaStream_t streams[parts];
  for (int s = 0; s < parts; s++) cudaStreamCreate(&streams[s]);
  for (int s = 0; s < parts; s++) {
    int o = s * chunk;
    cudaMemcpyAsync(d + o, h + o, chunk * sizeof(int), cudaMemcpyHostToDevice, streams[s]);
    twice<<<chunk / 128, 128, 0, streams[s]>>>(d + o, chunk);
    cudaMemcpyAsync(h + o, d + o, chunk * sizeof(int), cudaMemcpyDeviceToHost, streams[s]);
  }
  for (int s = 0; s < parts; s++) {
    cudaStreamSynchronize(streams[s]);
    cudaStreamDestroy(streams[s]);
  }
  long sum = 0;
  for (int i = 0; i < n; i++) sum += h[i];
  std::cout << "sum = " << sum << '\n';
  cudaFreeHost(h);
  cudaFree(d);
}
