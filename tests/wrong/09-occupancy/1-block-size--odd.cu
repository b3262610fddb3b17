// wrong: occupancy/1-block-size
// mistake: Blocks of 11 warps: five of them take 55 of the 64 warp slots, and a sixth does not fit.
// expect: gate_failed gate occupancy >= 0.99
// y = a x + y.
constexpr int threads = 352;  // 11 warps: 5 blocks are 55 of 64

__global__ void saxpy_kernel(const float* x, float* y, float a, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

void saxpy(const float* x, float* y, float a, int n) {
  if (n == 0) return;
  saxpy_kernel<<<(n + threads - 1) / threads, threads>>>(x, y, a, n);
}
