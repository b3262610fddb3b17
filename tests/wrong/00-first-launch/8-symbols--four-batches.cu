// wrong: first-launch/8-symbols
// mistake: The number of batches is an argument: 4 is written in.
// expect: finding
// Batches of values in polynomials. Each batch has 8 coefficients of its own, and a counter.
// Bound by the host between the launches: at 131,072 values per batch the three copies of a batch
// take longer than its kernel.
constexpr int threads = 256;
constexpr int terms = 8;

__constant__ float coefficients[terms];  // for reading only, and broadcast to a warp
__device__ int outside;                  // keeps its value from launch to launch

__global__ void evaluate_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  const float raw = i < n ? x[i] : 0.0f;
  const float v = fminf(fmaxf(raw, -1.0f), 1.0f);
  float sum = 0.0f;
#pragma unroll
  for (int k = terms - 1; k >= 0; --k) sum = sum * v + coefficients[k];
  if (i < n) y[i] = sum;
  const int count = __syncthreads_count(v != raw);  // of the block
  if (threadIdx.x == 0 && count > 0) atomicAdd(&outside, count);
}

void evaluate(const float* x, float* y, int n, const float* tables, int, int* clamped) {
  const int batches = 4;
  const int zero = 0;
  for (int b = 0; b < batches; ++b) {
    cudaMemcpyToSymbol(coefficients, tables + b * terms, terms * sizeof(float));
    cudaMemcpyToSymbol(outside, &zero, sizeof(int));
    const size_t first = size_t(b) * n;
    if (n > 0) evaluate_kernel<<<(n + threads - 1) / threads, threads>>>(x + first, y + first, n);
    cudaMemcpyFromSymbol(&clamped[b], outside, sizeof(int));  // waits for the kernel
  }
}
