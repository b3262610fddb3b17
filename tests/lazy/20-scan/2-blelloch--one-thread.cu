// lazy: scan/2-blelloch
// expect: gate lanes_on_per_instruction >= 14
// One thread of each block adds up the whole tile.
constexpr int tile = 512;

__global__ void scan_kernel(const int* in, int* out, int n) {
  __shared__ int s[tile];
  const int i = blockIdx.x * tile + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int k = 0; k < tile; ++k) {
      sum += s[k];
      s[k] = sum;
    }
  }
  __syncthreads();
  if (i < n) out[i] = s[threadIdx.x];
}

void scan_tiles(const int* in, int* out, int n) {
  if (n == 0) return;
  scan_kernel<<<(n + tile - 1) / tile, tile>>>(in, out, n);
}
