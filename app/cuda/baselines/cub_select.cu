// cub::DeviceSelect beside the compaction of the scan lab: the positive ints, in their order.
#include <cub/cub.cuh>

#include "common.cuh"

namespace baselines {
namespace {

struct Positive {
  __host__ __device__ bool operator()(int x) const { return x > 0; }
};

}  // namespace

int cub_select(const DojoBaselineCall* c, char* text, int bytes) {
  const int n = int(size_of(*c, "n"));
  size_t need = 0;
  auto call = [&](void* memory) {
    return cub::DeviceSelect::If(memory, need, buffer<const int>(*c, 0), buffer<int>(*c, 1),
                                 buffer<int>(*c, 2), n, Positive{}, stream(*c));
  };
  cudaError_t e = call(nullptr);
  void* memory = e == cudaSuccess ? scratch(need) : nullptr;
  if (!memory) return fail(text, bytes, "cub's workspace", int(e));
  e = call(memory);
  return e == cudaSuccess ? 0 : fail(text, bytes, "cub::DeviceSelect", int(e));
}

}  // namespace baselines
