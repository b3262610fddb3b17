// unconventional: elementwise/1-add
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

template <class Operation>
__global__ void zip(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n,
                    Operation operation) {
  const auto grid = cg::this_grid();
  for (long long i = grid.thread_rank(); i < n; i += grid.size())
    c[i] = operation(__ldg(a + i), __ldg(b + i));
}

struct Plus {
  __device__ float operator()(float u, float v) const {
    float sum;
    asm("add.rn.f32 %0, %1, %2;" : "=f"(sum) : "f"(u), "f"(v));
    return sum;
  }
};

void add(const float* a, const float* b, float* c, int n) {
  if (n > 0) zip<<<min((n + 511) / 512, 132 * 4), 512>>>(a, b, c, n, Plus{});
}
