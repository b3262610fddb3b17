// lazy: coalescing/1-stride-two
// expect: gate global_load_sectors <= n / 8 + 8
// One thread loads both elements of a pair, one after the other: each load still skips every second
// float.
constexpr int threads = 256;

__global__ void copy_kernel(const float* in, float* out, int n) {
  const int j = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (j >= n) return;
  out[j / 2] = in[j];
  if (n % 2 == 0) {
    out[(j + n) / 2] = in[j];
  } else if (j + 1 < n) {
    out[(j + 1 + n) / 2] = in[j + 1];
  }
}

void copy(const float* in, float* out, int n) {
  if (n == 0) return;
  constexpr int per_block = 2 * threads;
  copy_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, out, n);
}
