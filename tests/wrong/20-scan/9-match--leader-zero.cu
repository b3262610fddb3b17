// wrong: scan/9-match
// mistake: Lane 0 leads its own list only. Each list needs a leader among its own lanes.
// expect: finding undefined_lane
constexpr int threads = 256;
constexpr int lists = 8;

/// Adds 1 to *counter for each lane of `peers`, by one atomic. All lanes of `peers` call it with
/// the same counter; each gets a place of its own.
__device__ int take_place(int* counter, unsigned peers) {
  const int lane = threadIdx.x % 32;
  const int leader = 0;
  int base = 0;
  if (lane == leader) base = atomicAdd(counter, __popc(peers));
  base = __shfl_sync(peers, base, leader);
  return base + __popc(peers & ((1u << lane) - 1));  // peers below this lane come first
}

__global__ void append_kernel(const int* in, int* out, int* counts, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  const int x = in[i];
  const int list = x % lists;
  const unsigned peers = __match_any_sync(__activemask(), list);
  out[list * n + take_place(&counts[list], peers)] = x;
}

void append_to_lists(const int* in, int* out, int* counts, int n) {
  cudaMemset(counts, 0, lists * sizeof(int));
  if (n == 0) return;
  append_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, counts, n);
}
