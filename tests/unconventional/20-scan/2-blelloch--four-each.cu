// unconventional: scan/2-blelloch
// A thread adds four consecutive ints in registers, and the tree stands over the sums of threads.
constexpr int tile = 512;
constexpr int threads = tile / 4;

__global__ void scan_kernel(const int* in, int* out, int n) {
  __shared__ int s[tile];
  __shared__ int sums[threads];
  const int t = threadIdx.x;
  const int first = blockIdx.x * tile;
  for (int k = t; k < tile; k += threads) s[k] = first + k < n ? in[first + k] : 0;
  __syncthreads();
  int own[4];
  int sum = 0;
  for (int k = 0; k < 4; ++k) {
    sum += s[4 * t + k];
    own[k] = sum;
  }
  sums[t] = sum;
  for (int stride = 1; stride < threads; stride *= 2) {
    __syncthreads();
    const int right = 2 * stride * (t + 1) - 1;
    if (right < threads) sums[right] += sums[right - stride];
  }
  for (int stride = threads / 4; stride > 0; stride /= 2) {
    __syncthreads();
    const int right = 2 * stride * (t + 1) - 1 + stride;
    if (right < threads) sums[right] += sums[right - stride];
  }
  __syncthreads();
  const int before = t == 0 ? 0 : sums[t - 1];
  for (int k = 0; k < 4; ++k) s[4 * t + k] = before + own[k];
  __syncthreads();
  for (int k = t; k < tile && first + k < n; k += threads) out[first + k] = s[k];
}

void scan_tiles(const int* in, int* out, int n) {
  if (n == 0) return;
  scan_kernel<<<(n + tile - 1) / tile, threads>>>(in, out, n);
}
