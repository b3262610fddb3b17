// lazy: sync-bugs/7-normalise
// expect: gate blocks >= 128
// One block does everything, so there is no other block to wait for.
constexpr int threads = 256;

__device__ float block_sum(float value) {
  __shared__ float s[threads / 32];
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_xor_sync(0xffffffff, value, offset);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = value;
  __syncthreads();
  value = 0.0f;
  for (int w = 0; w < threads / 32; ++w) value += s[w];
  __syncthreads();  // for a kernel that calls twice: s has been read
  return value;
}

__global__ void normalise_kernel(const float* in, float* out, int n) {
  float value = 0.0f;
  for (int i = threadIdx.x; i < n; i += threads) value += in[i];
  const float sum = block_sum(value);
  for (int i = threadIdx.x; i < n; i += threads) out[i] = in[i] / sum;
}

void normalise(const float* in, float* out, int n) {
  if (n == 0) return;
  normalise_kernel<<<1, threads>>>(in, out, n);
}
