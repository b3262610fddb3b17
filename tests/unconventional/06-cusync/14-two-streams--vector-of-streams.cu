// unconventional: cusync/14-two-streams
// A list of chains and a list of streams, both on the host.
#include <vector>
template <int tile, int threads>
__global__ void gemm(const float* x, const float* y, float* z, int inner, int width) {
  const int row = blockIdx.y * tile, column = blockIdx.x * tile;
#pragma unroll 1
  for (int i = row + threadIdx.x; i < row + tile; i += threads)
#pragma unroll 1
    for (int j = column; j < column + tile; ++j) {
      float sum = 0.0f;
#pragma unroll 1
      for (int k = 0; k < inner; ++k) sum = fmaf(x[i * inner + k], y[k * width + j], sum);
      z[i * width + j] = sum;
    }
}
struct Chain {
  float *c, *e;
  int rows;
};
void chains(const float* a, const float* b, const float* d, float* c, float* e, float* c2, float* e2, int m,
            int few, int n, int k, int l) {
  if (n == 0 || l == 0) return;
  std::vector<Chain> all{{c, e, m}, {c2, e2, few}};
  std::vector<cudaStream_t> streams(all.size());
  for (size_t s = 0; s < all.size(); ++s) {
    cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking);
    if (all[s].rows == 0) continue;
    gemm<4, 2><<<dim3(n / 4, all[s].rows / 4), 2, 0, streams[s]>>>(a, b, all[s].c, k, n);
    gemm<4, 2><<<dim3(l / 4, all[s].rows / 4), 2, 0, streams[s]>>>(all[s].c, d, all[s].e, n, l);
  }
  cudaDeviceSynchronize();
  for (auto s : streams) cudaStreamDestroy(s);
}
