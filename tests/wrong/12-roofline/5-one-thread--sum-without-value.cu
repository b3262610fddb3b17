// wrong: roofline/5-one-thread
// mistake: The sum has no first value: float sum; leaves in it what the register held.
// expect: finding uninitialized
// y = the sum over k < 2000 of (x + k / 1024)^2, for each x.
// Bound by the launch and by latency: one load, eight terms, two reductions. The chain of 2000
// additions is gone.
constexpr int terms = 2000;
constexpr int threads = 256;

__global__ void series_kernel(const float* x, float* y, int n) {
  __shared__ float partial[threads / 32];
  const float start = x[blockIdx.x];
  float sum;
  for (int k = threadIdx.x; k < terms; k += threads) {  // eight terms per thread
    const float t = start + k * (1.0f / 1024);
    sum += t * t;
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int w = 1; w < threads / 32; ++w) sum += partial[w];
  y[blockIdx.x] = sum;
}

void series(const float* x, float* y, int n) {
  if (n == 0) return;
  series_kernel<<<n, threads>>>(x, y, n);
}
