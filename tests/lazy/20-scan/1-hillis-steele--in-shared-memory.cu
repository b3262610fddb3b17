// lazy: scan/1-hillis-steele
// expect: gate shared_load_lane_bytes + 128 * shared_atomics <= 80 * n
// The tile lies in shared memory, but each thread still adds up all ints before its own.
constexpr int tile = 512;

__global__ void scan_kernel(const int* in, int* out, int n) {
  __shared__ int s[tile];
  const int i = blockIdx.x * tile + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  int sum = 0;
  for (int k = 0; k <= threadIdx.x; ++k) sum += s[k];
  if (i < n) out[i] = sum;
}

void scan_tiles(const int* in, int* out, int n) {
  if (n == 0) return;
  scan_kernel<<<(n + tile - 1) / tile, tile>>>(in, out, n);
}
