// wrong: reduce/18-grid-sync
// mistake: Numbers that do not fit into the grid's registers are left out.
// expect: gate_failed gate right == 1 (n=1500007)
// Every float less the mean of all, in one launch: sum, a barrier for the whole grid, difference.
// Bound by latency at the default size. Each float is loaded once, and kept across the barrier.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

constexpr int threads = 1024;
constexpr int each = 4;  // elements that a thread keeps
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

__global__ void centre_kernel(const float* in, float* out, int n) {
  const cg::grid_group grid = cg::this_grid();
  const int first = grid.thread_rank();
  const int all = grid.size();  // threads
  float kept[each];  // stays in registers from one side of the barrier to the other
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < each; ++k) {
    const int i = first + k * all;
    kept[k] = i < n ? in[i] : 0.0f;
    sum += kept[k];
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) partials[blockIdx.x] = sum;
  grid.sync();  // every block has stored its sum, and every block sees it

  float total = 0.0f;
  for (int i = threadIdx.x; i < gridDim.x; i += threads) total += partials[i];
  const float mean = block_sum(total) / n;
#pragma unroll
  for (int k = 0; k < each; ++k)
    if (const int i = first + k * all; i < n) out[i] = kept[k] - mean;
  if (false) for (int i = 0; i < n; ++i)
    out[i] = in[i] - mean;  // more than the grid can keep
}

/// Prints what failed, if a runtime call failed.
void check(cudaError_t error) {
  if (error != cudaSuccess) printf("CUDA error: %s\n", cudaGetErrorString(error));
}

void centre(const float* in, float* out, int n) {
  if (n == 0) return;
  int sms, resident;
  check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, centre_kernel, threads, 0));
  // All blocks must be resident: one that has not started could never come to the barrier.
  const int blocks = min((n + threads - 1) / threads, min(sms * resident, most_blocks));
  void* arguments[] = {&in, &out, &n};
  check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(centre_kernel), blocks, threads,
                                    arguments, 0, 0));
}
