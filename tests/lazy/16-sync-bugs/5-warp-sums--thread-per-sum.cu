// lazy: sync-bugs/5-warp-sums
// expect: gate time_us <= 2 * reference(self)
// A thread adds up its 32 floats alone: nothing to synchronise, and no load is coalesced.
constexpr int threads = 256;

__global__ void sums_kernel(const float* in, float* sums, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (32 * i >= n) return;
  float sum = 0.0f;
  for (int k = 32 * i; k < min(n, 32 * i + 32); ++k) sum += in[k];
  sums[i] = sum;
}

void warp_sums(const float* in, float* sums, int n) {
  if (n == 0) return;
  const int all = (n + 31) / 32;
  sums_kernel<<<(all + threads - 1) / threads, threads>>>(in, sums, n);
}
