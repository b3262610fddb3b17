// How far the latencies of loads lie apart that warps send DRAM in the same moment, by how many warps and SMs do.
//   nvcc -O3 -std=c++17 -arch=sm_90 spread.cu -o spread && ./spread
// Each warp loads a line, a barrier before each; cycles of the mean, the median, the 90th and the 99th of a hundred, and the mean of the
// slowest of a block's round. "one warp": the same lines loaded by one warp, which waits for all of them.
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int kRounds = 128;

__global__ void warps_kernel(const float* in, int* latency, float* out, int pause) {
  const int warp = threadIdx.x / 32, warps = blockDim.x / 32;
  float s = 0;
  for (int r = 0; r < kRounds; ++r) {
    const size_t line = (size_t(r) * gridDim.x + blockIdx.x) * warps + warp;
    const float* p = in + line * 32 + threadIdx.x % 32;
    __syncthreads();
    const long long a = clock64();
    const float v = __ldcg(p);
    s += v;
    asm volatile("" :: "f"(s) : "memory");
    const long long b = clock64() + (s == 12345.0f);
    if (threadIdx.x % 32 == 0) latency[(blockIdx.x * kRounds + r) * warps + warp] = int(b - a);
    for (int i = 0; i < pause; ++i) s = s * 0.5f + 1.0f;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
template <int LINES> __global__ void lines_kernel(const float* in, int* latency, float* out, int pause) {
  float s = 0;
  for (int r = 0; r < kRounds; ++r) {
    const float* p = in + (size_t(r) * gridDim.x + blockIdx.x) * LINES * 32 + threadIdx.x;
    __syncwarp();
    const long long a = clock64();
    float v[LINES];
#pragma unroll
    for (int k = 0; k < LINES; ++k) v[k] = __ldcg(p + k * 32);
#pragma unroll
    for (int k = 0; k < LINES; ++k) s += v[k];
    const long long b = clock64() + (s == 12345.0f);
    if (threadIdx.x == 0) latency[blockIdx.x * kRounds + r] = int(b - a);
    for (int i = 0; i < pause; ++i) s = s * 0.5f + 1.0f;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

int main() {
  const size_t words = size_t(1) << 30;
  float *in, *out;
  int* latency;
  if (cudaMalloc((void**)&in, words * 4 + 65536) != cudaSuccess) return std::printf("no GPU\n"), 1;
  cudaMalloc((void**)&out, 1 << 22), cudaMalloc((void**)&latency, 132 * kRounds * 32 * 4);
  cudaMemset(in, 0, words * 4 + 65536);
  std::vector<int> l;
  const auto show = [&](const char* what, int blocks, int lines, int pause, int each) {
    std::vector<int> all(size_t(blocks) * kRounds * each);
    cudaMemcpy(all.data(), latency, all.size() * 4, cudaMemcpyDeviceToHost);
    double sum = 0, slowest = 0;
    for (size_t i = 0; i < all.size(); i += size_t(each)) slowest += *std::max_element(all.begin() + long(i), all.begin() + long(i) + each);
    for (int v : all) sum += v;
    std::sort(all.begin(), all.end());
    const size_t n = all.size();
    std::printf("%s %3d SMs, %2d lines, pause %4d: mean %6.1f, median %4d, 90%% %4d, 99%% %4d, slowest of a round %7.1f cycles\n", what, blocks, lines, pause,
                sum / double(n), all[n / 2], all[n * 9 / 10], all[n * 99 / 100], slowest / (double(blocks) * kRounds));
  };
  size_t at = 0;  // no line twice
  const auto fresh = [&](int blocks, int lines) {
    const size_t from = at;
    at += size_t(blocks) * kRounds * lines * 32;
    if (at > words) std::printf("out of fresh lines\n");
    return in + from;
  };
  for (int pause : {64, 512})
    for (int blocks : {1, 8, 33, 132}) {
      for (int warps : {1, 2, 4, 8, 16, 32}) {
        for (int k = 0; k < 2; ++k) warps_kernel<<<blocks, warps * 32>>>(fresh(blocks, warps), latency, out, pause);
        show("warps,   ", blocks, warps, pause, warps);
      }
      const auto one = [&](auto kernel, int lines) {
        for (int k = 0; k < 2; ++k) kernel<<<blocks, 32>>>(fresh(blocks, lines), latency, out, pause);
        show("one warp,", blocks, lines, pause, 1);
      };
      one(lines_kernel<1>, 1), one(lines_kernel<2>, 2), one(lines_kernel<4>, 4), one(lines_kernel<8>, 8), one(lines_kernel<16>, 16), one(lines_kernel<32>, 32);
    }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
