// lazy: scan/4-warp-scan
// expect: gate shared_store_lane_bytes + 128 * shared_atomics <= 2.1 * n
// Eight elements per thread, one after the other. The sums of threads meet in shared memory,
// without a shuffle.

constexpr int tile = 512, threads = 64, each = 8;
__global__ void scan_kernel(const int* in, int* out, int n) {
  __shared__ int s[2][threads];
  const int first = blockIdx.x * tile + threadIdx.x * each;
  int v[each], sum = 0;
  for (int k = 0; k < each; ++k) {
    sum += first + k < n ? in[first + k] : 0;
    v[k] = sum;
  }
  int now = 0;
  s[0][threadIdx.x] = sum;
  __syncthreads();
  for (int d = 1; d < threads; d *= 2) {
    int t = s[now][threadIdx.x];
    if (threadIdx.x >= d) t += s[now][threadIdx.x - d];
    now ^= 1;
    s[now][threadIdx.x] = t;
    __syncthreads();
  }
  const int before = s[now][threadIdx.x] - sum;
  for (int k = 0; k < each; ++k)
    if (first + k < n) out[first + k] = before + v[k];
}
void scan_tiles(const int* in, int* out, int n) {
  if (n == 0) return;
  scan_kernel<<<(n + tile - 1) / tile, threads>>>(in, out, n);
}
