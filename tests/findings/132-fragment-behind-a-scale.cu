// Misaligned: dynamic shared memory holds one scale and then a matrix; a fragment must begin at a multiple of 32.
#include <mma.h>

#include <cstdio>
#include <vector>

using namespace nvcuda;

__global__ void scaled_sums(const float* in, float* out) {
  extern __shared__ float raw[];
  float* tile = raw + 1;  // fix: float* tile = raw + 8;
  int t = threadIdx.x;
  if (t == 0) raw[0] = 0.5f;
  for (int i = t; i < 256; i += 32) tile[i] = in[i];
  __syncwarp();
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::load_matrix_sync(sum, tile, 16, wmma::mem_row_major);  // expect: misaligned // fix: wmma::load_matrix_sync(sum, tile, 16, wmma::mem_row_major);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] *= raw[0];
  wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}

int main() {
  std::vector<float> x(256, 3.0f);
  float *in, *out;
  cudaMalloc(&in, 256 * sizeof(float));
  cudaMalloc(&out, 256 * sizeof(float));
  cudaMemcpy(in, x.data(), 256 * sizeof(float), cudaMemcpyHostToDevice);
  scaled_sums<<<1, 32, 264 * sizeof(float)>>>(in, out);
  cudaMemcpy(x.data(), out, 256 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", x[0]);
  cudaFree(in);
  cudaFree(out);
}
