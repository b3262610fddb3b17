// What kernels take in which a thread does one element: stores, sums of neighbours, weights from constant memory and from parameters,
// and a small copy within the device in front of them.
//   nvcc -O3 -std=c++17 -arch=sm_90 scalars.cu -o scalars && ./scalars
//   nvcc -DCONSTANTS -O3 -std=c++17 -arch=sm_90 scalars.cu -o scalars && ./scalars     a module with a __constant__ variable
// Microseconds, as warpdojo times kernels: the difference of a graph of (empty the L2, kernel) and one of (empty the L2).
#include <cstdio>

#include "replay.cuh"
#include "scalars.cuh"

int main() {
  constexpr size_t kMost = size_t(64) << 20;
  float *in, *out;
  if (!replay_ready() || cudaMalloc((void**)&in, kMost) != cudaSuccess || cudaMalloc((void**)&out, kMost) != cudaSuccess) return std::printf("no GPU\n"), 1;
  cudaMemset(in, 0, kMost), cudaMemset(out, 0, kMost);
  const float* filter = in + kMost / 4 - 64;
  using Kernel = void (*)(const float*, float*, int);
  const struct { const char* name; Kernel kernel; } kernels[] = {{"stores", stores}, {"copies1", copies1}, {"copies7", copies7}, {"copies16", copies16},
                                                                 {"reads1", reads1}, {"reads7", reads7}, {"reads16", reads16}};
  for (int n : {1 << 10, 1 << 15, 1 << 17, 1 << 18, 1 << 19, 1 << 20, 1 << 21, 1 << 22, 5931008}) {
    const unsigned blocks = unsigned(n + 255) / 256;
    const auto show = [&](const char* before, const char* name, auto launch) {
      std::printf("%-7s %-10s %8d elements  %8.3f us\n", before, name, n, added(launch));
    };
    const auto of_parameters = [&] { parameters<<<blocks, 256, 0, g_stream>>>(in, out, n, Weights{}); };
#ifdef CONSTANTS
    void* symbol;
    cudaGetSymbolAddress(&symbol, weights);
    const auto copy = [&] { cudaMemcpyAsync(symbol, filter, sizeof(Weights), cudaMemcpyDeviceToDevice, g_stream); };
    const auto of_constants = [&] { constants<<<blocks, 256, 0, g_stream>>>(in, out, n); };
    show("module:", "reads1", [&] { reads1<<<blocks, 256, 0, g_stream>>>(in, out, n); });
    show("module:", "parameters", of_parameters);
    show("module:", "constants", of_constants);
    show("copy,", "nothing", copy);
    show("copy,", "parameters", [&] { copy(), of_parameters(); });
    show("copy,", "constants", [&] { copy(), of_constants(); });
#else
    for (const auto& k : kernels) show("", k.name, [&] { k.kernel<<<blocks, 256, 0, g_stream>>>(in, out, n); });
    show("", "parameters", of_parameters);
#endif
  }
  std::printf("# %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
