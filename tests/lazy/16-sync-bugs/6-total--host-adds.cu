// lazy: sync-bugs/6-total
// expect: gate default: host_work_on_results <= 1 * reference(self) + 96
// Each block stores its sum to managed memory, and the host adds them: no block is the last.
constexpr int threads = 1024;
__managed__ float partials[4096];

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

void total(const float* in, float* sum, int n) {
  const int blocks = n > 0 ? (n + threads - 1) / threads : 1;
  sum_kernel<<<blocks, threads>>>(in, n);
  cudaDeviceSynchronize();
  float all = 0.0f;
  for (int b = 0; b < blocks; ++b) all += partials[b];
  cudaMemcpy(sum, &all, sizeof all, cudaMemcpyHostToDevice);
}
