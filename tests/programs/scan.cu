// Inclusive scan of one block (Hillis and Steele), compared with the library's.
#include <iostream>
#include <numeric>
#include <vector>

__global__ void scan(const int* in, int* out, int n) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = t < n ? in[t] : 0;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    int v = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  if (t < n) out[t] = s[t];
}

int main() {
  const int n = 200;
  std::vector<int> h(n), got(n), want(n);
  for (int i = 0; i < n; ++i) h[i] = (i * 37) % 11 - 5;
  std::partial_sum(h.begin(), h.end(), want.begin());
  int *in, *out;
  cudaMalloc(&in, n * 4);
  cudaMalloc(&out, n * 4);
  cudaMemcpy(in, &h[0], n * 4, cudaMemcpyHostToDevice);
  scan<<<1, 256, 256 * sizeof(int)>>>(in, out, n);
  cudaMemcpy(&got[0], out, n * 4, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  std::cout << (got == want ? "scan ok" : "scan wrong") << ", last " << got.back() << std::endl;
  return got == want ? 0 : 1;
}
