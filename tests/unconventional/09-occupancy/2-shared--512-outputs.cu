// unconventional: occupancy/2-shared
// 512 threads, and the thread's own input in a register.
template <int T>
__global__ void k(const float* __restrict__ in, float* __restrict__ out, int n) {
  __shared__ float tile[T + 2];
  const int i = blockIdx.x * T + threadIdx.x, t = threadIdx.x;
  const float mine = i < n ? in[i] : 0;
  tile[t + 1] = mine;
  if (t == 0) tile[0] = i > 0 ? in[i - 1] : 0;
  if (t == T - 1) tile[T + 1] = i + 1 < n ? in[i + 1] : 0;
  __syncthreads();
  if (i < n) out[i] = (tile[t] + mine + tile[t + 2]) / 3;
}
void smooth(const float* in, float* out, int n) {
  if (n) k<512><<<(n + 511) / 512, 512>>>(in, out, n);
}
