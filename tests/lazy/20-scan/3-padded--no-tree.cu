// lazy: scan/3-padded
// expect: gate shared_store_lane_bytes >= 4 * n
// Each thread adds 16 ints in registers. Only the sums of threads meet in shared memory, and there
// is no tree.
constexpr int tile = 512;
constexpr int each = 16;
__global__ void scan_kernel(const int* in, int* out, int n) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  const int first = blockIdx.x * tile + t * each;
  int v[each], sum = 0;
#pragma unroll
  for (int k = 0; k < each; k += 4) {
    int4 q = {0, 0, 0, 0};
    if (first + k + 3 < n)
      q = *reinterpret_cast<const int4*>(in + first + k);
    else {
      if (first + k < n) q.x = in[first + k];
      if (first + k + 1 < n) q.y = in[first + k + 1];
      if (first + k + 2 < n) q.z = in[first + k + 2];
    }
    v[k] = q.x;
    v[k + 1] = q.y;
    v[k + 2] = q.z;
    v[k + 3] = q.w;
  }
#pragma unroll
  for (int k = 0; k < each; ++k) v[k] = sum += v[k];
  volatile int* p = s;
  p[t] = sum;
  int all = sum;
  for (int o = 1; o < 32; o *= 2) {
    __syncwarp();
    const int before = t >= o ? p[t - o] : 0;
    __syncwarp();
    all += before;
    p[t] = all;
  }
  const int start = all - sum;
#pragma unroll
  for (int k = 0; k < each; ++k)
    if (first + k < n) out[first + k] = v[k] + start;
}
void scan_tiles(const int* in, int* out, int n) {
  if (n) scan_kernel<<<(n + tile - 1) / tile, 32>>>(in, out, n);
}
