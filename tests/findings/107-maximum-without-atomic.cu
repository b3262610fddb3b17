// Race, global: the maximum is read, compared and stored. The twin is the guide's loop, whose first read is plain.
#include <cstdio>
#include <vector>

__global__ void maximum(const float* in, int* best, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int mine = __float_as_int(in[i]);
  int old = *best;  // expect: race // fix: int old = *best, assumed;
  if (mine > old) *best = mine;  // other side // fix: do { assumed = old; old = atomicCAS(best, assumed, max(mine, assumed)); } while (assumed != old);
}

int main() {
  const int n = 512;
  std::vector<float> h(n);
  for (int i = 0; i < n; ++i) h[i] = i * 37 % n;
  float* in;
  int *best, r;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&best, sizeof(int));
  cudaMemset(best, 0, sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  maximum<<<4, 128>>>(in, best, n);
  cudaMemcpy(&r, best, sizeof r, cudaMemcpyDeviceToHost);
  printf("%d\n", r);
  cudaFree(in);
  cudaFree(best);
}
