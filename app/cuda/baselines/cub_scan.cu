// cub::DeviceScan beside the scan lab, and cub::DeviceRadixSort beside its pass over one digit.
#include <cub/cub.cuh>

#include "common.cuh"

namespace baselines {

int cub_scan(const DojoBaselineCall* c, char* text, int bytes) {
  const int n = int(size_of(*c, "n"));
  size_t need = 0;
  auto call = [&](void* memory) {
    return cub::DeviceScan::InclusiveSum(memory, need, buffer<const int>(*c, 0), buffer<int>(*c, 1), n,
                                         stream(*c));
  };
  cudaError_t e = call(nullptr);
  void* memory = e == cudaSuccess ? scratch(need) : nullptr;
  if (!memory) return fail(text, bytes, "cub's workspace", int(e));
  e = call(memory);
  return e == cudaSuccess ? 0 : fail(text, bytes, "cub::DeviceScan", int(e));
}

int cub_sort_digit(const DojoBaselineCall* c, char* text, int bytes) {
  constexpr int shift = 8;  // as in the step's `params`
  const int n = int(size_of(*c, "n"));
  size_t need = 0;
  auto call = [&](void* memory) {
    return cub::DeviceRadixSort::SortKeys(memory, need, buffer<const unsigned>(*c, 0),
                                          buffer<unsigned>(*c, 1), n, shift, shift + 4, stream(*c));
  };
  cudaError_t e = call(nullptr);
  void* memory = e == cudaSuccess ? scratch(need) : nullptr;
  if (!memory) return fail(text, bytes, "cub's workspace", int(e));
  e = call(memory);
  return e == cudaSuccess ? 0 : fail(text, bytes, "cub::DeviceRadixSort", int(e));
}

}  // namespace baselines
