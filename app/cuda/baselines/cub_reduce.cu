// cub::DeviceReduce beside the reduce lab.
#include <cub/cub.cuh>

#include "common.cuh"

namespace baselines {
namespace {

template <class T, class Call>
int reduce(const DojoBaselineCall* c, char* text, int bytes, Call call) {
  const int n = int(size_of(*c, "n"));
  size_t need = 0;
  cudaError_t e = call(nullptr, need, buffer<const T>(*c, 0), buffer<T>(*c, 1), n, stream(*c));
  void* memory = e == cudaSuccess ? scratch(need) : nullptr;
  if (!memory) return fail(text, bytes, "cub's workspace", int(e));
  e = call(memory, need, buffer<const T>(*c, 0), buffer<T>(*c, 1), n, stream(*c));
  return e == cudaSuccess ? 0 : fail(text, bytes, "cub::DeviceReduce", int(e));
}

}  // namespace

int cub_sum(const DojoBaselineCall* c, char* text, int bytes) {
  return reduce<float>(c, text, bytes,
                       [](void* t, size_t& b, auto... a) { return cub::DeviceReduce::Sum(t, b, a...); });
}

int cub_sum_double(const DojoBaselineCall* c, char* text, int bytes) {
  return reduce<double>(c, text, bytes,
                        [](void* t, size_t& b, auto... a) { return cub::DeviceReduce::Sum(t, b, a...); });
}

int cub_max(const DojoBaselineCall* c, char* text, int bytes) {
  return reduce<float>(c, text, bytes,
                       [](void* t, size_t& b, auto... a) { return cub::DeviceReduce::Max(t, b, a...); });
}

}  // namespace baselines
