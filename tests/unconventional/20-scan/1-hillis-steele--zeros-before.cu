// unconventional: scan/1-hillis-steele
// 512 zeros stand before the tile in each row, so that no thread asks whether an element is there.
constexpr int tile = 512;

__global__ void scan_kernel(const int* in, int* out, int n) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  const int i = blockIdx.x * tile + t;
  int* from = s + tile;
  int* to = s + 3 * tile;
  from[t - tile] = 0;
  to[t - tile] = 0;
  from[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int offset = 1; offset < tile; offset *= 2) {
    to[t] = from[t] + from[t - offset];
    __syncthreads();
    int* const other = from;
    from = to;
    to = other;
  }
  if (i < n) out[i] = from[t];
}

void scan_tiles(const int* in, int* out, int n) {
  if (n == 0) return;
  scan_kernel<<<(n + tile - 1) / tile, tile, 4 * tile * sizeof(int)>>>(in, out, n);
}
