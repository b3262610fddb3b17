// Half precision and one tensor-core tile.
#include <cuda_fp16.h>
#include <mma.h>
#include <cstdio>
using namespace nvcuda;

__global__ void tile(const half* a, const half* b, float* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}

int main() {
  half ha[256], hb[256];
  float hc[256];
  for (int i = 0; i < 256; ++i) {
    ha[i] = __float2half(float(i % 5 - 2));
    hb[i] = __float2half(float(i % 3 - 1) * 0.5f);
  }
  half *a, *b;
  float* c;
  cudaMalloc(&a, sizeof ha);
  cudaMalloc(&b, sizeof hb);
  cudaMalloc(&c, sizeof hc);
  cudaMemcpy(a, ha, sizeof ha, cudaMemcpyHostToDevice);
  cudaMemcpy(b, hb, sizeof hb, cudaMemcpyHostToDevice);
  tile<<<1, 32>>>(a, b, c);
  cudaMemcpy(hc, c, sizeof hc, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j) {
      float s = 0;
      for (int k = 0; k < 16; ++k) s += __half2float(ha[i * 16 + k]) * __half2float(hb[k * 16 + j]);
      wrong += s != hc[i * 16 + j];
    }
  printf("wrong %d, c[0] %g\n", wrong, hc[0]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
