// unconventional: privatisation/7-window
// Sums of 2, 4, 8 and 16 in shared memory.
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[2][512];
  const int first = blockIdx.x * 497, t = threadIdx.x;
  s[0][t] = first + t < n + 15 ? in[first + t] : 0;
  int now = 0;
  for (int d = 1; d < 16; d *= 2) {
    __syncthreads();
    s[1 - now][t] = s[now][t] + (t + d < 512 ? s[now][t + d] : 0);
    now = 1 - now;
  }
  __syncthreads();
  if (t < 497 && first + t < n) out[first + t] = s[now][t];
}
void window_sum(const float* in, float* out, int n) {
  if (n) k<<<(n + 496) / 497, 512>>>(in, out, n);
}
