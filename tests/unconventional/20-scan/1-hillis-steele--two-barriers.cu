// unconventional: scan/1-hillis-steele
// One row instead of two: a barrier stands between the reading and the writing of a round.
constexpr int tile = 512;

__global__ void scan_kernel(const int* in, int* out, int n) {
  __shared__ int s[tile];
  const int t = threadIdx.x;
  const int i = blockIdx.x * tile + t;
  s[t] = i < n ? in[i] : 0;
  for (int offset = 1; offset < tile; offset *= 2) {
    __syncthreads();
    const int before = t >= offset ? s[t - offset] : 0;
    __syncthreads();
    s[t] += before;
  }
  if (i < n) out[i] = s[t];
}

void scan_tiles(const int* in, int* out, int n) {
  if (n == 0) return;
  scan_kernel<<<(n + tile - 1) / tile, tile>>>(in, out, n);
}
