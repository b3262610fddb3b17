// Race, shared: the loop prefetches the next tile into the very buffer that is being read.
#include <cstdio>
#include <vector>

__global__ void sums(const float* in, float* out, int tiles) {
  __shared__ float s[2][64];
  int t = threadIdx.x;
  s[0][t] = in[t];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < tiles; ++k) {
    int now = k % 2, next = k % 2;  // fix: int now = k % 2, next = 1 - now;
    if (k + 1 < tiles) s[next][t] = in[(k + 1) * 64 + t];
    for (int i = 0; i < 64; ++i) sum += s[now][(i + t) % 64];  // expect: race // fix: for (int i = 0; i < 64; ++i) sum += s[now][(i + t) % 64];
    __syncthreads();
  }
  out[t] = sum;
}

int main() {
  const int tiles = 4, n = 64 * tiles;
  std::vector<float> h(n, 0.25f);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  sums<<<1, 64>>>(in, out, tiles);
  cudaMemcpy(h.data(), out, 64 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
  cudaFree(in);
  cudaFree(out);
}
