// Sums of 32 floats each, one warp per sum, in shared memory.
// Bound by starting blocks. Lanes read, wait for each other, write, and wait again.
constexpr int threads = 256;

__global__ void sums_kernel(const float* in, float* sums, int n) {
  __shared__ float s[threads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  s[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int stride = 16; stride > 0; stride /= 2) {
    const float sum = lane < stride ? s[threadIdx.x] + s[threadIdx.x + stride] : 0.0f;
    __syncwarp();
    s[threadIdx.x] = sum;
    __syncwarp();
  }
  if (lane == 0 && i < n) sums[i / 32] = s[threadIdx.x];
}

void warp_sums(const float* in, float* sums, int n) {
  if (n == 0) return;
  sums_kernel<<<(n + threads - 1) / threads, threads>>>(in, sums, n);
}
