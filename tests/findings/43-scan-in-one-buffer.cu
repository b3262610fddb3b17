// Race, shared: each round of the scan reads words that other threads are writing.
#include <cstdio>
#include <vector>

__global__ void inclusive_scan(const int* in, int* out) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    int v = t >= d ? s[t - d] : 0;
    // fix: __syncthreads();
    s[t] += v;  // expect: race // fix: s[t] += v;
    __syncthreads();
  }
  out[t] = s[t];
}

int main() {
  const int n = 256;
  std::vector<int> h(n, 1);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  inclusive_scan<<<1, n>>>(in, out);
  cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[255]);
  cudaFree(in);
  cudaFree(out);
}
