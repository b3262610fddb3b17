// Race, shared: the next tile is loaded while slower threads still multiply the last one.
#include <cstdio>
#include <vector>

constexpr int T = 16;

__global__ void matmul(const float* a, const float* b, float* c, int n) {
  __shared__ float as[T][T], bs[T][T];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    as[y][x] = a[row * n + k + x];  // expect: race // fix: as[y][x] = a[row * n + k + x];
    bs[y][x] = b[(k + y) * n + col];
    __syncthreads();
    for (int i = 0; i < T; ++i) sum += as[y][i] * bs[i][x];  // other side
    // fix: __syncthreads();
  }
  c[row * n + col] = sum;
}

int main() {
  const int n = 48;
  std::vector<float> h(n * n, 0.5f);
  float *a, *b, *c;
  cudaMalloc(&a, n * n * sizeof(float));
  cudaMalloc(&b, n * n * sizeof(float));
  cudaMalloc(&c, n * n * sizeof(float));
  cudaMemcpy(a, h.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, h.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  matmul<<<dim3(n / T, n / T), dim3(T, T)>>>(a, b, c, n);
  cudaMemcpy(h.data(), c, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
