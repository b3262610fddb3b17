// Sum of each 32 consecutive floats: one warp per sum. Lane 0 adds what the others stored in shared
// memory.
constexpr int threads = 256;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  __shared__ float s[threads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = i < n ? in[i] : 0.0f;
  // TODO: __shfl_down_sync(0xffffffff, value, offset) is the value of the lane `offset` further up.
  // Sum the warp with it. Then shared memory is not needed.
  s[threadIdx.x] = value;
  __syncwarp();
  if (threadIdx.x % 32 == 0) {
    for (int k = 1; k < 32; ++k) value += s[threadIdx.x + k];
    if (i < n) partials[i / 32] = value;
  }
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<(n + threads - 1) / threads, threads>>>(in, partials, n);
}
