// Batches of values in polynomials. Each batch has 8 coefficients of its own, and a counter. Both
// lie in memory that every batch allocates.
constexpr int threads = 256;
constexpr int terms = 8;

// TODO: make the coefficients and the counter variables of the device: __constant__ float
// coefficients[terms] and __device__ int outside. Copy to and from their names. No allocation and
// no pointer to them is needed then.
__global__ void evaluate_kernel(const float* x, float* y, int n, const float* coefficients,
                                int* outside) {
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
    float* coefficients;
    int* outside;
    cudaMalloc(&coefficients, terms * sizeof(float));
    cudaMalloc(&outside, sizeof(int));
    cudaMemcpy(coefficients, tables + b * terms, terms * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(outside, 0, sizeof(int));
    const size_t first = size_t(b) * n;
    const int blocks = (n + threads - 1) / threads;
    if (n > 0) evaluate_kernel<<<blocks, threads>>>(x + first, y + first, n, coefficients, outside);
    cudaMemcpy(&clamped[b], outside, sizeof(int), cudaMemcpyDeviceToHost);  // waits for the kernel
    cudaFree(coefficients);
    cudaFree(outside);
  }
}
