// wrong: sync-bugs/6-total
// mistake: The last block may add old partial sums: each block stores its sum, then a fence, then counts itself by one atomic operation.
// expect: finding race
constexpr int threads = 256;

__device__ float partials[65536];
__device__ unsigned done;

__device__ float block_sum(float value) {
  __shared__ float s[threads / 32];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffff, value, offset);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = value;
  __syncthreads();
  value = 0.0f;
  for (int w = 0; w < threads / 32; ++w) value += s[w];
  return value;
}

__global__ void sum_kernel(const float* in, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = block_sum(i < n ? in[i] : 0.0f);

  __shared__ bool last;
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = value;
    last = atomicAdd(&done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;

  value = 0.0f;
  for (int b = threadIdx.x; b < gridDim.x; b += blockDim.x) value += partials[b];
  value = block_sum(value);
  if (threadIdx.x == 0) {
    *sum = value;
    done = 0;
  }
}

void total(const float* in, float* sum, int n) {
  const int blocks = n > 0 ? (n + threads - 1) / threads : 1;
  sum_kernel<<<blocks, threads>>>(in, sum, n);
}
