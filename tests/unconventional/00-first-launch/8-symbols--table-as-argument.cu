// unconventional: first-launch/8-symbols
// The coefficients are a kernel argument, which lies in constant memory too. The counter is never
// cleared: the host takes differences. Its address is asked for once.
constexpr int threads = 128;

struct Table {
  float c[8];
};

__device__ int outside;

__global__ void evaluate_kernel(const float* x, float* y, int n, Table table) {
  const int i = blockIdx.x * threads + threadIdx.x;
  const float raw = i < n ? x[i] : 0.0f;
  const float v = fminf(fmaxf(raw, -1.0f), 1.0f);
  float sum = table.c[7];
#pragma unroll
  for (int k = 6; k >= 0; --k) sum = sum * v + table.c[k];
  if (i < n) y[i] = sum;
  const unsigned lanes = __ballot_sync(0xffffffff, v != raw);
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) atomicAdd(&count, __popc(lanes));
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&outside, count);
}

void evaluate(const float* x, float* y, int n, const float* tables, int batches, int* clamped) {
  int* counter;
  cudaGetSymbolAddress(reinterpret_cast<void**>(&counter), outside);
  int before = 0;
  cudaMemset(counter, 0, sizeof(int));
  for (int b = 0; b < batches; ++b) {
    Table table;
    for (int k = 0; k < 8; ++k) table.c[k] = tables[8 * b + k];
    const int blocks = (n + threads - 1) / threads;
    if (n > 0) evaluate_kernel<<<blocks, threads>>>(x + size_t(b) * n, y + size_t(b) * n, n, table);
    int now;
    cudaMemcpy(&now, counter, sizeof(int), cudaMemcpyDeviceToHost);
    clamped[b] = now - before;
    before = now;
  }
}
