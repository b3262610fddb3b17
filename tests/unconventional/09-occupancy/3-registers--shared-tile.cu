// unconventional: occupancy/3-registers
// One output per thread, inputs and weights from shared memory.
__global__ void k(const float* in, const float* w, float* out, int n) {
  __shared__ float tile[256 + 15], f[16];
  const int first = blockIdx.x * 256, t = threadIdx.x;
  if (t < 16) f[t] = w[t];
  for (int j = t; j < 256 + 15; j += 256) tile[j] = first + j < n + 15 ? in[first + j] : 0;
  __syncthreads();
  if (first + t >= n) return;
  float s = 0;
  for (int j = 0; j < 16; ++j) s += f[j] * tile[t + j];
  out[first + t] = s;
}
void filter(const float* in, const float* w, float* out, int n) {
  if (n) k<<<(n + 255) / 256, 256>>>(in, w, out, n);
}
