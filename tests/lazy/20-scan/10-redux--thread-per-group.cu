// lazy: scan/10-redux
// expect: gate time_us <= 2 * reference(self)
// A thread counts all 128 ints of a group: no sum over a warp, and scattered loads.
__global__ void count_kernel(const int* in, int* counts, int n) {
  const int g = blockIdx.x * 32 + threadIdx.x;
  if (g * 128 >= n) return;
  int kept = 0;
  for (int k = 0; k < 128; k += 4) {
    const int i = g * 128 + k;
    if (i + 3 < n) {
      const int4 v = reinterpret_cast<const int4*>(in)[i / 4];
      kept += (v.x > 0) + (v.y > 0) + (v.z > 0) + (v.w > 0);
    } else
      for (int j = i; j < n && j < i + 4; ++j) kept += in[j] > 0;
  }
  counts[g] = kept;
}
void count_groups(const int* in, int* counts, int n) {
  if (n == 0) return;
  const int groups = (n + 127) / 128;
  count_kernel<<<(groups + 31) / 32, 32>>>(in, counts, n);
}
