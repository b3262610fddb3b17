// wrong: scan/10-redux
// mistake: Where n is a multiple of 128, the warp behind the last int stores a count that is not there: compare with <.
// expect: finding out_of_bounds
// How many of each 128 ints are positive: one instruction adds up the counts of a warp.
// Bound by starting blocks and by memory latency; with many ints, by DRAM bandwidth.
constexpr int threads = 256;

/// The four ints from `first` on; 0 past the end.
__device__ int4 load_four(const int* in, int first, int n) {
  if (first + 3 < n) return reinterpret_cast<const int4*>(in)[first / 4];
  int4 v = make_int4(0, 0, 0, 0);
  if (first < n) v.x = in[first];
  if (first + 1 < n) v.y = in[first + 1];
  if (first + 2 < n) v.z = in[first + 2];
  return v;
}

__global__ void count_kernel(const int* in, int* counts, int n) {
  const int first = 4 * (blockIdx.x * threads + threadIdx.x);
  const int4 v = load_four(in, first, n);
  int kept = (v.x > 0) + (v.y > 0) + (v.z > 0) + (v.w > 0);
  kept = __reduce_add_sync(0xffffffff, kept);
  if (threadIdx.x % 32 == 0 && first <= n) counts[first / 128] = kept;
}

void count_groups(const int* in, int* counts, int n) {
  if (n == 0) return;
  count_kernel<<<(n + 4 * threads - 1) / (4 * threads), threads>>>(in, counts, n);
}
