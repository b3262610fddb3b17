// What kernels take in which a thread does one element: stores, sums of neighbours, weights from constant memory and from parameters,
// and a small copy within the device in front of them.
//   nvcc -O3 -std=c++17 -arch=sm_90 scalars.cu -o scalars && ./scalars
// Microseconds, as warpdojo times kernels: the difference of a graph of (empty the L2, kernel) and one of (empty the L2).
#include <cstdio>

#include "replay.cuh"
#include "scalars.cuh"

int main() {
  constexpr size_t kMost = size_t(64) << 20;
  float *in, *out;
  void* symbol;
  if (!replay_ready() || cudaMalloc((void**)&in, kMost) != cudaSuccess || cudaMalloc((void**)&out, kMost) != cudaSuccess ||
      cudaGetSymbolAddress(&symbol, weights) != cudaSuccess)
    return std::printf("no GPU\n"), 1;
  cudaMemset(in, 0, kMost), cudaMemset(out, 0, kMost);
  const float* filter = in + kMost / 4 - 64;
  using Kernel = void (*)(const float*, float*, int);
  const struct { const char* name; Kernel kernel; } kernels[] = {{"stores", stores}, {"copies1", copies1}, {"copies7", copies7}, {"copies16", copies16},
                                                                 {"reads1", reads1}, {"reads7", reads7}, {"reads16", reads16}, {"constants", constants}};
  for (int n : {1 << 10, 1 << 15, 1 << 17, 1 << 18, 1 << 19, 1 << 20, 1 << 21, 1 << 22, 5931008}) {
    const unsigned blocks = unsigned(n + 255) / 256;
    const auto copy = [&] { cudaMemcpyAsync(symbol, filter, sizeof(Weights), cudaMemcpyDeviceToDevice, g_stream); };
    const auto show = [&](const char* before, const char* name, auto launch) {
      const double nothing = replay(true, nullptr), with = replay(true, launch);
      std::printf("%-5s %-10s %8d elements  %8.3f us\n", before, name, n, with - (nothing + replay(true, nullptr)) / 2);
    };
    for (const auto& k : kernels) show("", k.name, [&] { k.kernel<<<blocks, 256, 0, g_stream>>>(in, out, n); });
    show("", "parameters", [&] { parameters<<<blocks, 256, 0, g_stream>>>(in, out, n, Weights{}); });
    show("copy", "nothing", copy);
    show("copy", "constants", [&] { copy(), constants<<<blocks, 256, 0, g_stream>>>(in, out, n); });
    show("copy", "parameters", [&] { copy(), parameters<<<blocks, 256, 0, g_stream>>>(in, out, n, Weights{}); });
  }
  std::printf("# %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
