// lazy: sync-bugs/5-warp-sums
// expect: gate barriers <= n / 32 + 32
// Barriers of the whole block in every round: right, and eight warps wait for each other.
constexpr int threads = 256;

__global__ void sums_kernel(const float* in, float* sums, int n) {
  __shared__ float s[threads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  s[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int stride = 16; stride > 0; stride /= 2) {
    const float sum = lane < stride ? s[threadIdx.x] + s[threadIdx.x + stride] : 0.0f;
    __syncthreads();
    s[threadIdx.x] = sum;
    __syncthreads();
  }
  if (lane == 0 && i < n) sums[i / 32] = s[threadIdx.x];
}

void warp_sums(const float* in, float* sums, int n) {
  if (n == 0) return;
  sums_kernel<<<(n + threads - 1) / threads, threads>>>(in, sums, n);
}
