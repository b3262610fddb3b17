// Race, shared: the tile is written by rows and read by columns with no barrier in between.
#include <cstdio>
#include <vector>

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  // fix: __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];  // expect: race // fix: for (int j = 0; j < 32; j += 8) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main() {
  const int n = 64;
  std::vector<float> h(n * n);
  for (int i = 0; i < n * n; ++i) h[i] = float(i);
  float *in, *out;
  cudaMalloc(&in, n * n * sizeof(float));
  cudaMalloc(&out, n * n * sizeof(float));
  cudaMemcpy(in, h.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  transpose<<<dim3(2, 2), dim3(32, 8)>>>(in, out, n);
  cudaMemcpy(h.data(), out, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[1]);
  cudaFree(in);
  cudaFree(out);
}
