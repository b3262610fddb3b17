// Bounds, shared: the tile is 16 x 16, and the block was made 32 x 32.
#include <cstdio>
#include <vector>

constexpr int tile = 16;  // fix: constexpr int tile = 32;

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float s[tile][tile + 1];
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  s[threadIdx.y][threadIdx.x] = in[y * n + x];  // expect: out_of_bounds // fix: s[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  x = blockIdx.y * blockDim.y + threadIdx.x;
  y = blockIdx.x * blockDim.x + threadIdx.y;
  out[y * n + x] = s[threadIdx.x][threadIdx.y];
}

int main() {
  const int n = 64;
  std::vector<float> h(n * n);
  for (int i = 0; i < n * n; ++i) h[i] = float(i);
  float *in, *out;
  cudaMalloc(&in, n * n * sizeof(float));
  cudaMalloc(&out, n * n * sizeof(float));
  cudaMemcpy(in, h.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  transpose<<<dim3(2, 2), dim3(32, 32)>>>(in, out, n);
  cudaMemcpy(h.data(), out, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[1]);
  cudaFree(in);
  cudaFree(out);
}
