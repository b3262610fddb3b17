// lazy: sync-bugs/10-running
// expect: gate default: host_work_on_results <= 1 * reference(self) + 96
// Blocks store their sums, and the host adds them up in order: no chain of blocks.
constexpr int threads = 256;
__device__ float partials[4096];

__global__ void sum_kernel(const float* in, int n) {
  __shared__ float s[threads / 32];
  const int i = blockIdx.x * threads + threadIdx.x;
  float value = i < n ? in[i] : 0.0f;
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_xor_sync(0xffffffff, value, offset);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x > 0) return;
  value = 0.0f;
  for (int w = 0; w < threads / 32; ++w) value += s[w];
  partials[blockIdx.x] = value;
}

void running(const float* in, float* sums, int n) {
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads;
  sum_kernel<<<blocks, threads>>>(in, n);
  float all[4096];
  cudaMemcpyFromSymbol(all, partials, blocks * sizeof(float));
  for (int b = 1; b < blocks; ++b) all[b] += all[b - 1];
  cudaMemcpy(sums, all, blocks * sizeof(float), cudaMemcpyHostToDevice);
}
