// unconventional: roofline/5-one-thread
// 1024 threads, and a tree in shared memory.
__global__ void k(const float* x, float* y, int n) {
  extern __shared__ float s[];
  const int i = blockIdx.x, t = threadIdx.x;
  const float v = x[i];
  float a = 0, b = 0;
  for (int q = t; q < 2000; q += 1024) {
    const float u = fmaf(float(q), 0.0009765625f, v);
    a = fmaf(u, u, a);
  }
  s[t] = a + b;
  for (int d = 512; d; d /= 2) {
    __syncthreads();
    if (t < d) s[t] += s[t + d];
  }
  if (t == 0) y[i] = s[0];
}
void series(const float* x, float* y, int n) {
  if (n) k<<<n, 1024, 4096>>>(x, y, n);
}
