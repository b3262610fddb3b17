// unconventional: scan/2-blelloch
// A thread scans 16 ints, and adds the sums of the threads before it: few words per element.
constexpr int tile = 512;
__global__ void scan_kernel(const int* in, int* out, int n) {
  __shared__ int s[tile + 32], w[32];
  const int t = threadIdx.x, first = blockIdx.x * tile;
  for (int k = t; k < tile; k += 32) s[k + k / 16] = first + k < n ? in[first + k] : 0;
  __syncwarp();
  int sum = 0;
  for (int k = 0; k < 16; ++k) s[t * 17 + k] = sum += s[t * 17 + k];
  w[t] = sum;
  __syncwarp();
  int before = 0;
  for (int k = 0; k < 32; ++k) before += k < t ? w[k] : 0;
  for (int k = 0; k < 16; ++k) s[t * 17 + k] += before;
  __syncwarp();
  for (int k = t; k < tile; k += 32)
    if (first + k < n) out[first + k] = s[k + k / 16];
}
void scan_tiles(const int* in, int* out, int n) {
  if (n == 0) return;
  scan_kernel<<<(n + tile - 1) / tile, 32>>>(in, out, n);
}
