// cub::DeviceHistogram beside the privatisation lab: how often each of the 256 byte values occurs.
#include <cub/cub.cuh>

#include "common.cuh"

namespace baselines {

int cub_histogram(const DojoBaselineCall* c, char* text, int bytes) {
  const int n = int(size_of(*c, "n"));
  const auto* data = buffer<const unsigned char>(*c, 0);
  int* bins = buffer<int>(*c, 1);
  size_t need = 0;
  // 257 levels bound 256 bins of one value each.
  auto call = [&](void* memory) {
    return cub::DeviceHistogram::HistogramEven(memory, need, data, bins, 257, 0, 256, n, stream(*c));
  };
  cudaError_t e = call(nullptr);
  void* memory = e == cudaSuccess ? scratch(need) : nullptr;
  if (!memory) return fail(text, bytes, "cub's workspace", int(e));
  e = call(memory);
  return e == cudaSuccess ? 0 : fail(text, bytes, "cub::DeviceHistogram", int(e));
}

}  // namespace baselines
