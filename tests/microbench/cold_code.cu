// What a kernel's code costs when the L2 has been emptied since it ran last, as it is between measured launches.
//   nvcc -O3 -std=c++17 -arch=sm_90 cold_code.cu -o cold_code && ./cold_code
// Microseconds: `cold` is a graph of (empty the L2, kernel) less one of (empty the L2), `again` what the same kernel takes right behind
// it, `alone` launch behind launch.
#include <cstdio>

#include "replay.cuh"

/// `lines` lines of 128 bytes of machine code, straight on: eight multiply-adds each, of four chains.
template <int lines>
__device__ void multiply(float v0, float* out, float a) {
  float v1 = v0 + 1, v2 = v0 + 2, v3 = v0 + 3;
#pragma unroll
  for (int i = 0; i < lines * 2; ++i) v0 = v0 * a + 0.5f, v1 = v1 * a + 0.5f, v2 = v2 * a + 0.5f, v3 = v3 * a + 0.5f;
  if (v0 + v1 + v2 + v3 == 12345.0f) out[threadIdx.x] = v0;
}
template <int lines> __global__ void code(float* out, float a) { multiply<lines>(threadIdx.x, out, a); }
/// The same behind a load.
template <int lines> __global__ void loads(const int* in, float* out, float a) { multiply<lines>(in[blockIdx.x * 1024 + threadIdx.x], out, a); }

static float* g_out;
static int* g_in;
static double g_nothing;

template <class F>
void report(const char* name, int lines, unsigned blocks, unsigned threads, F launch) {
  const double cold = replay(true, launch) - g_nothing;
  const double again = replay(true, [&] { launch(), launch(); }) - g_nothing - cold;
  std::printf("%s %4d lines, %4u blocks, %4u threads  cold %7.3f us, again %7.3f, alone %7.3f\n", name, lines, blocks, threads, cold, again,
              replay(false, launch));
}
template <int lines>
void reports() {
  for (unsigned blocks : {1u, 132u, 1056u})
    for (unsigned threads : {32u, 256u}) {
      report("code ", lines, blocks, threads, [&] { code<lines><<<blocks, threads, 0, g_stream>>>(g_out, 0.5f); });
      report("loads", lines, blocks, threads, [&] { loads<lines><<<blocks, threads, 0, g_stream>>>(g_in, g_out, 0.5f); });
    }
}

int main() {
  if (!replay_ready() || cudaMalloc((void**)&g_out, 1 << 20) != cudaSuccess || cudaMalloc((void**)&g_in, 16 << 20) != cudaSuccess)
    return std::printf("no GPU\n"), 1;
  cudaMemset(g_in, 0, 16 << 20);
  g_nothing = replay(true, nullptr);
  reports<1>(), reports<4>(), reports<8>(), reports<16>(), reports<32>(), reports<64>(), reports<128>(), reports<256>();
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
