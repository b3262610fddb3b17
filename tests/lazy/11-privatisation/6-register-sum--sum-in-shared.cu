// lazy: privatisation/6-register-sum
// expect: gate shared_stores + shared_atomics <= n / 16 + 8
// The sum lies in shared memory: a load and a store per addition.
__global__ void k(const float* in, float* out, int n) {
  __shared__ float sum[256];
  volatile float* s = sum + threadIdx.x;
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  *s = 0;
  for (int k = 0; k < 16; ++k) *s = *s + in[i + k];
  out[i] = *s;
}
void window_sum(const float* in, float* out, int n) {
  if (n) k<<<(n + 255) / 256, 256>>>(in, out, n);
}
