// Race, global: thread 0 adds up what its block wrote, with no barrier in between.
#include <cstdio>
#include <vector>

__global__ void sum(const float* in, float* scratch, float* out) {
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  scratch[i] = in[i] * in[i];  // other side
  // fix: __syncthreads();
  if (t == 0) {
    float sum = 0;
    for (int k = 0; k < blockDim.x; ++k) sum += scratch[i + k];  // expect: race // fix: for (int k = 0; k < blockDim.x; ++k) sum += scratch[i + k];
    out[blockIdx.x] = sum;
  }
}

int main() {
  const int n = 512;
  std::vector<float> h(n, 2.0f);
  float *in, *scratch, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&scratch, n * sizeof(float));
  cudaMalloc(&out, 4 * sizeof(float));
  cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(scratch, 0, n * sizeof(float));
  sum<<<4, 128>>>(in, scratch, out);
  cudaMemcpy(h.data(), out, 4 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
  cudaFree(in);
  cudaFree(scratch);
  cudaFree(out);
}
