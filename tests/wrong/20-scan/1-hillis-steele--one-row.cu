// wrong: scan/1-hillis-steele
// mistake: A round reads words that other threads write in the same round. Use two rows, or a barrier between reading and writing.
// expect: finding race
constexpr int tile = 512;

__global__ void scan_kernel(const int* in, int* out, int n) {
  __shared__ int s[tile];
  const int t = threadIdx.x;
  const int i = blockIdx.x * tile + t;
  int sum = i < n ? in[i] : 0;
  s[t] = sum;
  __syncthreads();
  for (int offset = 1; offset < tile; offset *= 2) {
    if (t >= offset) s[t] += s[t - offset];
    __syncthreads();
  }
  if (i < n) out[i] = s[t];
}

void scan_tiles(const int* in, int* out, int n) {
  if (n == 0) return;
  scan_kernel<<<(n + tile - 1) / tile, tile>>>(in, out, n);
}
