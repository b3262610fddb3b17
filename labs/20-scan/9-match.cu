// Appends each int to one of eight lists: list x % 8.
constexpr int threads = 256;
constexpr int lists = 8;

/// Adds 1 to *counter for each lane of `peers`, by one atomic. All lanes of `peers` call it with
/// the same counter; each gets a place of its own.
__device__ int take_place(int* counter, unsigned peers) {
  const int lane = threadIdx.x % 32;
  const int leader = __ffs(peers) - 1;
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
  // TODO: which lanes append to the same list? Now each lane takes its place alone.
  const unsigned peers = 1u << (threadIdx.x % 32);
  out[list * n + take_place(&counts[list], peers)] = x;
}

void append_to_lists(const int* in, int* out, int* counts, int n) {
  cudaMemset(counts, 0, lists * sizeof(int));
  if (n == 0) return;
  append_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, counts, n);
}
