// lazy: reduce/18-grid-sync
// expect: gate launches == 1
// Each block of the second kernel adds up the partial sums itself: two launches instead of three.
#include <cstdio>

constexpr int threads = 1024;
constexpr int most_blocks = 1024;

__device__ float partials[most_blocks];  // one sum per block

/// The sum over the block, in every thread of it. All threads must take part.
__device__ float block_sum(float value) {
  __shared__ float s[threads / 32];
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_xor_sync(0xffffffff, value, offset);
  __syncthreads();  // for calls with no other barrier between: the words have been read
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = value;
  __syncthreads();
  float sum = 0.0f;
  for (int w = 0; w < threads / 32; ++w) sum += s[w];
  return sum;
}

__global__ void sum_kernel(const float* in, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) sum += in[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) partials[blockIdx.x] = sum;
}

__global__ void subtract_kernel(const float* in, float* out, int blocks, int n) {
  float total = 0.0f;
  for (int i = threadIdx.x; i < blocks; i += threads) total += partials[i];
  const float mean = block_sum(total) / n;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads)
    out[i] = in[i] - mean;
}

/// Prints what failed, if a runtime call failed.
void check(cudaError_t error) {
  if (error != cudaSuccess) printf("CUDA error: %s\n", cudaGetErrorString(error));
}

void centre(const float* in, float* out, int n) {
  if (n == 0) return;
  const int blocks = min((n + threads - 1) / threads, 264);
  sum_kernel<<<blocks, threads>>>(in, n);
  check(cudaGetLastError());
  subtract_kernel<<<blocks, threads>>>(in, out, blocks, n);
  check(cudaGetLastError());
}
