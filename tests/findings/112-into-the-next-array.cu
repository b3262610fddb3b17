// Bounds, shared: the loop runs over the end of one __shared__ array, into the one behind it.
#include <cstdio>

__global__ void sums(const int* in, int* out) {
  __shared__ int tile[64];
  __shared__ int total[64];
  int t = threadIdx.x;
  tile[t] = in[t];
  total[t] = 0;
  __syncthreads();
  for (int k = 0; k < 4; ++k) {
    int at = t + k;  // fix: int at = (t + k) % 64;
    total[t] += tile[at];  // expect: out_of_bounds // fix: total[t] += tile[at];
  }
  __syncthreads();
  out[t] = total[63 - t];
}

int main() {
  int *in, *out, h[64];
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemset(in, 1, sizeof h);
  sums<<<1, 64>>>(in, out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(in);
  cudaFree(out);
}
