// Reductions: shuffles, cooperative groups, the place of the largest, rows, the last block.
#include <cooperative_groups.h>

#include "zoo.cuh"

namespace cg = cooperative_groups;

__global__ void re_shuffle_sum(const float* in, float* part, int n) {
  __shared__ float warps[32];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0;
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (threadIdx.x == 0) part[blockIdx.x] = sum;
  }
}

__global__ void re_tiled_groups(const int* in, int* out, int each) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 16;
  int most = -1, sum = 0;
  for (int k = tile.thread_rank(); k < each; k += 16) {
    const int v = in[row * each + k];
    most = max(most, v);
    sum += v;
  }
  for (int d = tile.size() / 2; d > 0; d /= 2) {
    most = max(most, tile.shfl_down(most, d));
    sum += tile.shfl_down(sum, d);
  }
  if (tile.thread_rank() == 0) out[row] = sum - most;
}

__global__ void re_argmax(const float* in, int n, float* value, int* place) {
  __shared__ float v[256];
  __shared__ int p[256];
  const int t = threadIdx.x;
  float best = -1e30f;
  int where = -1;
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256)
    if (in[i] > best) {
      best = in[i];
      where = i;
    }
  v[t] = best;
  p[t] = where;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half && v[t + half] > v[t]) {
      v[t] = v[t + half];
      p[t] = p[t + half];
    }
    __syncthreads();
  }
  if (t == 0) {
    value[blockIdx.x] = v[0];
    place[blockIdx.x] = p[0];
  }
}

// A block per row: the mean, then the norm of the deviations.
__global__ void re_row_norms(const float* in, float* norm, int columns) {
  __shared__ float s[128];
  __shared__ float mean;
  const float* row = in + blockIdx.x * columns;
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += 128) sum += row[c];
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) mean = s[0] / columns;
  __syncthreads();
  sum = 0;
  for (int c = threadIdx.x; c < columns; c += 128) sum += (row[c] - mean) * (row[c] - mean);
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) norm[blockIdx.x] = sqrtf(s[0]);
}

// The last block to finish adds up the others' sums and resets the counter.
__global__ void re_last_block(const double* in, double* part, double* total, unsigned* arrived, int n) {
  __shared__ double s[256];
  __shared__ bool last;
  double sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += in[i];
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    part[blockIdx.x] = s[0];
    __threadfence();
    last = atomicAdd(arrived, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  volatile const double* parts = part;
  s[threadIdx.x] = threadIdx.x < gridDim.x ? parts[threadIdx.x] : 0;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    *total = s[0];
    *arrived = 0;
  }
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("re_shuffle_sum")) {
    const int n = 1000000;
    float* part = zoo.zeros<float>(132);
    re_shuffle_sum<<<132, 512>>>(zoo.upload(random_floats(n, 1)), part, n);
    zoo.show("re_shuffle_sum", part, 132);
  }
  if (zoo.runs("re_tiled_groups")) {
    const int rows = 3200, each = 50;
    int* out = zoo.zeros<int>(rows);
    re_tiled_groups<<<rows / 16, 256>>>(zoo.upload(random_ints(rows * each, 2, 1000)), out, each);
    zoo.show("re_tiled_groups", out, rows);
  }
  if (zoo.runs("re_argmax")) {
    const int n = 300000;
    int* place = zoo.zeros<int>(64);
    re_argmax<<<64, 256>>>(zoo.upload(random_floats(n, 3)), n, zoo.zeros<float>(64), place);
    zoo.show("re_argmax", place, 64);
  }
  if (zoo.runs("re_row_norms")) {
    float* norm = zoo.zeros<float>(700);
    re_row_norms<<<700, 128>>>(zoo.upload(random_floats(700 * 400, 4)), norm, 400);
    zoo.show("re_row_norms", norm, 700);
  }
  if (zoo.runs("re_last_block")) {
    const int n = 250000;
    const auto in = random_doubles(n, 5);
    double sum = 0, *total = zoo.zeros<double>(1);
    for (double x : in) sum += x;
    re_last_block<<<200, 256>>>(zoo.upload(in), zoo.zeros<double>(200), total, zoo.zeros<unsigned>(1), n);
    zoo.expect("re_last_block", total, 1, sum);
  }
  return zoo.done();
}
