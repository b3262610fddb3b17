// lazy: cusync/9-stridedsync
// expect: gate waiting_launches >= 2
// An idle kernel takes the place of the wait kernel: nothing makes the producers start first.
// Attention of one head per block. It reads three tiles of X * [Wq Wk Wv]: its Q, its K and its
// V, `heads` tiles apart. Half in and out, float sums.
// Bound by its waves: 21 tiles and 7 heads on 4 SMs.
#include <cuda_fp16.h>
#include <cusync.cuh>

constexpr int tile = 16;  // 16 tokens, 16 columns per head
constexpr int threads = 32;
constexpr int heads = 7;

// The block's tile of z = x * y, through shared memory; x has `inner` columns, y and z have
// `width`.
__device__ void gemm_tile(const half* x, const half* y, half* z, int row, int column, int inner,
                          int width) {
  __shared__ half xs[tile][tile], ys[tile][tile];
  const int i = threadIdx.x / 2;  // this thread's row, and the first of its 8 columns
  const int j0 = threadIdx.x % 2 * 8;
  float sum[8] = {};
  for (int k0 = 0; k0 < inner; k0 += tile) {
    for (int j = j0; j < j0 + 8; ++j) {
      xs[i][j] = x[(row + i) * inner + k0 + j];
      ys[i][j] = y[(k0 + i) * width + column + j];
    }
    __syncthreads();
    for (int k = 0; k < tile; ++k)
      for (int j = 0; j < 8; ++j) sum[j] += __half2float(xs[i][k]) * __half2float(ys[k][j0 + j]);
    __syncthreads();
  }
  for (int j = 0; j < 8; ++j) z[(row + i) * width + column + j0 + j] = __float2half(sum[j]);
}

// t = dropout(softmax(q * k^T / 4)) * v for one head and 16 tokens; keep holds 0 or 2 for each of
// the 16 x 16 shares.
__device__ void attention(const half* q, const half* k, const half* v, const half* keep, half* t,
                          int width) {
  __shared__ float p[tile][tile + 1];
  const int i = threadIdx.x / 2;
  const int j0 = threadIdx.x % 2 * 8;
  float most = -INFINITY;
  float all = 0.0f;
  for (int j = j0; j < j0 + 8; ++j) {
    float sum = 0.0f;
    for (int x = 0; x < tile; ++x)
      sum += __half2float(q[i * width + x]) * __half2float(k[j * width + x]);
    p[i][j] = sum / 4;
    most = fmaxf(most, p[i][j]);
  }
  most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, 1));  // two threads share a row
  for (int j = j0; j < j0 + 8; ++j) {
    p[i][j] = expf(p[i][j] - most);
    all += p[i][j];
  }
  all += __shfl_xor_sync(0xffffffff, all, 1);
  for (int j = j0; j < j0 + 8; ++j) p[i][j] *= __half2float(keep[i * tile + j]) / all;
  __syncwarp();
  for (int j = j0; j < j0 + 8; ++j) {
    float sum = 0.0f;
    for (int x = 0; x < tile; ++x) sum += p[i][x] * __half2float(v[x * width + j]);
    t[i * heads * tile + j] = __float2half(sum);
  }
}

__global__ void project(CuStage stage, const half* x, const half* w, half* qkv, int hidden) {
  stage.start();
  const uint2 t = stage.tile();
  gemm_tile(x, w, qkv, t.y * tile, t.x * tile, hidden, 3 * heads * tile);
  stage.post();
}

__global__ void attend(CuStage stage, const half* qkv, const half* keep, half* out) {
  stage.start();
  const uint2 t = stage.tile();  // x: the head, y: which 16 tokens
  stage.wait(qkv, t.y, t.x);     // the semaphore of its Q tile is that of its K and V tiles, too
  const int width = 3 * heads * tile;
  const half* q = qkv + t.y * tile * width + t.x * tile;
  attention(q, q + heads * tile, q + 2 * heads * tile, keep + (t.y * heads + t.x) * tile * tile,
            out + t.y * tile * heads * tile + t.x * tile, width);
  stage.post();
}

__global__ void idle() {}

// x[m x hidden], w[hidden x 3 * 112], qkv[m x 3 * 112], keep[m / 16][7][16 x 16], out[m x 112]
void attention_chain(const half* x, const half* w, const half* keep, half* qkv, half* out, int m,
                     int hidden) {
  if (m == 0) return;
  CuSync cs;
  CuStage& first = cs.stage(dim3(3 * heads, m / tile), dim3(tile, tile), Strided(heads));
  CuStage& second = cs.stage(dim3(heads, m / tile), dim3(tile, tile), RowMajor);
  cs.dependency<StridedSync<heads>>(first, second, qkv);
  project<<<first.blocks(), threads, 0, first.stream()>>>(first, x, w, qkv, hidden);
  idle<<<1, 1, 0, second.stream()>>>();
  attend<<<second.blocks(), threads, 0, second.stream()>>>(second, qkv, keep, out);
}
