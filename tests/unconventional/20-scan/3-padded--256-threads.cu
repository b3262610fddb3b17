// unconventional: scan/3-padded
// A struct puts a word between each 32. 256 threads go through the nodes of a level in a loop.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
template <class T, int N>
class Padded {
  T words_[N + N / 32];

 public:
  __device__ T& operator[](int i) { return words_[i + (i >> 5)]; }
};
template <int Tile, int Threads>
__global__ void __launch_bounds__(Threads)
    tree(const int* __restrict__ in, int* __restrict__ out, int n) {
  __shared__ Padded<int, Tile> s;
  const auto block = cg::this_thread_block();
  const int base = blockIdx.x * Tile;
  int kept[Tile / Threads];
#pragma unroll
  for (int k = 0; k < Tile / Threads; ++k) {
    const int e = threadIdx.x + k * Threads;
    s[e] = kept[k] = base + e < n ? in[base + e] : 0;
  }
#pragma unroll
  for (int half = 1; half < Tile; half <<= 1) {
    block.sync();
    for (int node = threadIdx.x; node < Tile / (2 * half); node += Threads) {
      const int r = (node + 1) * 2 * half - 1;
      s[r] += s[r - half];
    }
  }
  if (threadIdx.x == 0) s[Tile - 1] = 0;
#pragma unroll
  for (int half = Tile / 2; half; half >>= 1) {
    block.sync();
    for (int node = threadIdx.x; node < Tile / (2 * half); node += Threads) {
      const int r = (node + 1) * 2 * half - 1;
      const int up = s[r], left = s[r - half];
      s[r - half] = up;
      s[r] = up + left;
    }
  }
  block.sync();
#pragma unroll
  for (int k = 0; k < Tile / Threads; ++k)
    if (const int e = threadIdx.x + k * Threads; base + e < n) out[base + e] = s[e] + kept[k];
}
void scan_tiles(const int* in, int* out, int n) {
  if (n > 0) tree<512, 256><<<(n + 511) / 512, 256>>>(in, out, n);
}
