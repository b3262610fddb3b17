// wrong: sync-bugs/10-running
// mistake: The post may be seen before the sum is. A __threadfence() belongs between storing and posting.
// expect: finding race
constexpr int threads = 256;

__device__ float block_sum(float value) {
  __shared__ float s[threads / 32];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffff, value, offset);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = value;
  __syncthreads();
  value = 0.0f;
  for (int w = 0; w < threads / 32; ++w) value += s[w];
  return value;
}

__global__ void running_kernel(const float* in, float* sums, int* posted, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = block_sum(i < n ? in[i] : 0.0f);

  float before = 0.0f;
  if (threadIdx.x == 0 && blockIdx.x > 0) {
    while (atomicAdd(&posted[blockIdx.x - 1], 0) == 0) {
    }
    __threadfence();
    before = sums[blockIdx.x - 1];
  }
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = before + value;
    atomicAdd(&posted[blockIdx.x], 1);
  }
}

void running(const float* in, float* sums, int n) {
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads;
  int* posted;
  cudaMalloc(&posted, blocks * sizeof(int));
  cudaMemset(posted, 0, blocks * sizeof(int));
  running_kernel<<<blocks, threads>>>(in, sums, posted, n);
  cudaFree(posted);
}
