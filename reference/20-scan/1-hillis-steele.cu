// Running sums of each tile of 512 ints, by Hillis and Steele: in the round of `offset`, every
// thread adds the sum that ends `offset` elements before its own.
// Bound by latency: nine rounds, each of a shared load, an addition, a shared store and a barrier.
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
