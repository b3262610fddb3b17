// lazy: scan/3-padded
// expect: gate shared_load_lane_bytes + 128 * shared_atomics <= 26 * n
// The rounds of step 1 have no conflicts, and load many more words.
constexpr int tile = 512;

__global__ void scan_kernel(const int* in, int* out, int n) {
  __shared__ int s[2][tile];  // a round reads one row and writes the other
  const int t = threadIdx.x;
  const int i = blockIdx.x * tile + t;
  int sum = i < n ? in[i] : 0;
  int row = 0;
  s[row][t] = sum;
  __syncthreads();
  for (int offset = 1; offset < tile; offset *= 2) {
    if (t >= offset) sum += s[row][t - offset];
    row = 1 - row;
    s[row][t] = sum;
    __syncthreads();
  }
  if (i < n) out[i] = sum;
}

void scan_tiles(const int* in, int* out, int n) {
  if (n == 0) return;
  scan_kernel<<<(n + tile - 1) / tile, tile>>>(in, out, n);
}
