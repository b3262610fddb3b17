// lazy: first-launch/8-symbols
// expect: gate allocations + calls(cudaHostAlloc) + calls(cudaHostRegister) == 0
// The coefficients are constant, and the counter is still allocated for every batch.
constexpr int threads = 256;
constexpr int terms = 8;

__constant__ float coefficients[terms];

__global__ void evaluate_kernel(const float* x, float* y, int n, int* outside) {
  const int i = blockIdx.x * threads + threadIdx.x;
  const float raw = i < n ? x[i] : 0.0f;
  const float v = fminf(fmaxf(raw, -1.0f), 1.0f);
  float sum = 0.0f;
#pragma unroll
  for (int k = terms - 1; k >= 0; --k) sum = sum * v + coefficients[k];
  if (i < n) y[i] = sum;
  const int count = __syncthreads_count(v != raw);  // of the block
  if (threadIdx.x == 0 && count > 0) atomicAdd(outside, count);
}

void evaluate(const float* x, float* y, int n, const float* tables, int batches, int* clamped) {
  for (int b = 0; b < batches; ++b) {
    int* outside;
    cudaMalloc(&outside, sizeof(int));
    cudaMemcpyToSymbol(coefficients, tables + b * terms, terms * sizeof(float));
    cudaMemset(outside, 0, sizeof(int));
    const size_t first = size_t(b) * n;
    const int blocks = (n + threads - 1) / threads;
    if (n > 0) evaluate_kernel<<<blocks, threads>>>(x + first, y + first, n, outside);
    cudaMemcpy(&clamped[b], outside, sizeof(int), cudaMemcpyDeviceToHost);  // waits for the kernel
    cudaFree(outside);
  }
}
