// wrong: sync-bugs/5-warp-sums
// mistake: Since Volta the lanes of a warp need not run in lockstep, and neither volatile nor a single wait is enough: __syncwarp() after reading and again after writing.
// expect: finding race
constexpr int threads = 256;

__global__ void sums_kernel(const float* in, float* sums, int n) {
  __shared__ float s[threads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  s[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int stride = 16; stride > 0; stride /= 2) {
    const float sum = lane < stride ? s[threadIdx.x] + s[threadIdx.x + stride] : 0.0f;
    s[threadIdx.x] = sum;
    __syncwarp();
  }
  if (lane == 0 && i < n) sums[i / 32] = s[threadIdx.x];
}

void warp_sums(const float* in, float* sums, int n) {
  if (n == 0) return;
  sums_kernel<<<(n + threads - 1) / threads, threads>>>(in, sums, n);
}
