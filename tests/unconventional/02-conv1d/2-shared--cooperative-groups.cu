// unconventional: conv1d/2-shared
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

template <int size>
__global__ void average3(const float* in, float* out, int n) {
  extern __shared__ float tile[];
  const cg::thread_block block = cg::this_thread_block();
  const int first = blockIdx.x * size, inputs = min(size, n - first) + 2;
  for (int t = block.thread_rank(); t < inputs; t += block.size()) tile[t] = in[first + t];
  block.sync();
  const int t = block.thread_rank();
  if (first + t < n) out[first + t] = (tile[t] + tile[t + 1] + tile[t + 2]) / 3.0f;
}

void conv1d(const float* in, float* out, int n) {
  if (n > 0) average3<512><<<(n + 511) / 512, 512, 514 * sizeof(float)>>>(in, out, n);
}
