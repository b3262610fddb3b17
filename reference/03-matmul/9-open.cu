// C = A B in fp32, as fast as an H100 goes. Two kernels: one for shapes that its tiles divide (ahead of cuBLAS on an
// H100 at 1024, 2048 and 4096: `warpdojo bench cuda` measures it), one for every other shape and for small ones.
//
// What bounds the first: the multiply-adds themselves. A thread makes 8 x 8 outputs; every 64 FFMA need 16 operands
// from shared memory, four 16-byte loads. What is left to win is that nothing else stands in an FFMA's way:
//  1. B's tile goes from global to shared memory by cp.async, without passing through registers. A's must be
//     transposed on the way, so it waits in registers during the arithmetic, as in step 6. Where few blocks share an SM,
//     one tile's arithmetic is shorter than the way from DRAM: then two tiles are on their way (kAhead).
//  2. The operands of row p + 1 are loaded while row p is multiplied: two sets of fragments.
//  3. The FFMA of one row run left to right, of the next right to left (a serpentine): neighbours then share an
//     operand, which the register file's reuse cache holds, and two operands rarely want the same register bank.
//  4. Blocks that run together lie in 8 rows of tiles, so that what they read is in the L2.
#include <cuda_pipeline.h>

__device__ float4& four(float& first) { return reinterpret_cast<float4&>(first); }
__device__ const float4& four(const float& first) { return reinterpret_cast<const float4&>(first); }

constexpr int kRows = 64;                        // of C, a block
constexpr int kWarpRows = 32, kWarpCols = 64;    // of C, a warp: 4 x 8 lanes of 8 x 8 outputs
constexpr int kGroup = 8;                        // rows of tiles that are worked on together
constexpr int kPitch = kRows + 4;                // of a row in A's tile: at most two lanes of a store meet in a bank

/// Where a block's tile lies: kGroup rows of tiles are done column by column before the next rows start.
__device__ int2 tile_of(int id, int tile_rows, int tile_cols) {
  int group = id / (kGroup * tile_cols), rest = id % (kGroup * tile_cols);
  int rows = min(kGroup, tile_rows - group * kGroup);
  return {group * kGroup + rest % rows, rest / rows};
}

// A is n x k, B is k x m, C is n x m, all row by row; n is a multiple of 64, m of kCols, k of 2 kDepth.
// kAhead tiles (1 or 2) are on their way while one is used.
template <int kCols, int kDepth, int kAhead, int kBlocksAnSm>
__global__ void __launch_bounds__(kCols, kBlocksAnSm)
    multiply_whole_tiles(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int n, int m,
                         int k) {
  constexpr int kThreads = kCols;  // (64 / 32) x (kCols / 64) warps
  constexpr int kLoadsA = kRows * kDepth / 4 / kThreads, kLoadsB = kCols * kDepth / 4 / kThreads;
  extern __shared__ float4 memory[];
  float(*a)[kDepth][kPitch] = reinterpret_cast<float(*)[kDepth][kPitch]>(memory);         // [2], transposed
  float(*b)[kDepth][kCols] = reinterpret_cast<float(*)[kDepth][kCols]>(a + 2);            // [2 kAhead], a ring
  int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  int2 place = tile_of(blockIdx.x, n / kRows, m / kCols);
  int row = warp / (kCols / kWarpCols) * kWarpRows + lane / 8 * 4;  // first output of this thread in the block's
  int col = warp % (kCols / kWarpCols) * kWarpCols + lane % 8 * 4;

  // What this thread brings of each pair of tiles: 16 bytes at a time.
  constexpr int kStepA = kThreads / (kDepth / 4), kStepB = kThreads / (kCols / 4);
  int ar = thread / (kDepth / 4), ac = thread % (kDepth / 4) * 4;
  int br = thread / (kCols / 4), bc = thread % (kCols / 4) * 4;
  const float* from_a = A + size_t(place.x * kRows + ar) * k + ac;
  const float* from_b = B + size_t(br) * m + place.y * kCols + bc;
  float4 next_a[kAhead][kLoadsA];

  auto fetch = [&](int tile) {  // starts both: A to registers, B straight to shared memory
    if (tile * kDepth < k) {
#pragma unroll
      for (int i = 0; i < kLoadsA; ++i) next_a[tile % kAhead][i] = four(from_a[size_t(i * kStepA) * k]);
#pragma unroll
      for (int i = 0; i < kLoadsB; ++i)
        __pipeline_memcpy_async(&b[tile % (2 * kAhead)][br + i * kStepB][bc], from_b + size_t(i * kStepB) * m, 16);
      from_a += kDepth;
      from_b += size_t(kDepth) * m;
    }
    __pipeline_commit();  // past the end an empty one, so that the count below stays right
  };
  auto put = [&](int tile) {  // A from registers, turned
#pragma unroll
    for (int i = 0; i < kLoadsA; ++i) {
      float* to = &a[tile % 2][ac][ar + i * kStepA];
      float4 v = next_a[tile % kAhead][i];
      to[0] = v.x, to[kPitch] = v.y, to[2 * kPitch] = v.z, to[3 * kPitch] = v.w;
    }
    __pipeline_wait_prior(kAhead - 1);  // and B has arrived
  };

  float sum[8][8] = {};
  float u[2][8], v[2][8];
  auto load = [&](int tile, int p, int set) {
    const float *line_a = a[tile % 2][p], *line_b = b[tile % (2 * kAhead)][p];
    four(u[set][0]) = four(line_a[row]), four(u[set][4]) = four(line_a[row + 16]);
    four(v[set][0]) = four(line_b[col]), four(v[set][4]) = four(line_b[col + 32]);
  };
  auto multiply = [&](int set) {
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        int turned = i % 2 ? 7 - j : j;
        sum[i][turned] += u[set][i] * v[set][turned];
      }
  };
  auto one_tile = [&](int tile) {
    fetch(tile + kAhead);
#pragma unroll
    for (int p = 0; p < kDepth - 1; ++p) {
      load(tile, p + 1, (p + 1) % 2);
      multiply(p % 2);
    }
    put(tile + 1);  // after the last tile it writes what nobody reads
    __syncthreads();
    load(tile + 1, 0, 0);
    multiply((kDepth - 1) % 2);
  };

  for (int tile = 0; tile < kAhead; ++tile) fetch(tile);
  put(0);
  __syncthreads();
  load(0, 0, 0);
  for (int tile = 0; tile * kDepth < k; tile += 2) {  // two a turn: which registers is known when this is compiled
    one_tile(tile);
    one_tile(tile + 1);
  }

  float* to = C + size_t(place.x * kRows + row) * m + place.y * kCols + col;
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 8; j += 4) four(to[size_t(i / 4 * 16 + i % 4) * m + j * 8]) = four(sum[i][j]);
}

template <int kCols, int kDepth, int kAhead, int kBlocksAnSm>
void launch_whole_tiles(const float* A, const float* B, float* C, int n, int m, int k) {
  auto kernel = multiply_whole_tiles<kCols, kDepth, kAhead, kBlocksAnSm>;
  int bytes = 2 * kDepth * (kPitch + kAhead * kCols) * sizeof(float);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  kernel<<<(n / kRows) * (m / kCols), kCols, bytes>>>(A, B, C, n, m, k);
}

// x[row][col] to x[row][col + 3]; zeros outside. One 16-byte load where rows start on 16 bytes.
__device__ float4 load4(const float* x, int row, int col, int rows, int cols) {
  if (row >= rows || col >= cols) return {0.0f, 0.0f, 0.0f, 0.0f};
  const float* p = x + row * cols + col;
  if (cols % 4 == 0) return four(*p);
  return {p[0], col + 1 < cols ? p[1] : 0.0f, col + 2 < cols ? p[2] : 0.0f, col + 3 < cols ? p[3] : 0.0f};
}

__device__ void store4(float* x, int row, int col, int rows, int cols, const float* v) {
  if (row >= rows || col >= cols) return;
  float* p = x + row * cols + col;
  if (cols % 4 == 0) four(*p) = {v[0], v[1], v[2], v[3]};
  else
    for (int j = 0; j < 4 && col + j < cols; ++j) p[j] = v[j];
}

// Any shape: step 6 with a tile of L x L outputs, V x V a thread, edges filled with zeros. A 256 x 256 result has only
// 4 tiles of 128 x 128, and 128 of an H100's 132 SMs would stand idle; tiles of 32 x 32 make 64 blocks.
template <int L, int V>
__global__ void __launch_bounds__(L * 2) multiply_any(const float* A, const float* B, float* C, int n, int m, int k) {
  constexpr int S = 8, kSide = L / V, kLine = L + 4;
  static_assert(kSide * kSide == L * S / 4, "one float4 of each tile a thread");
  __shared__ alignas(16) float a[2][S][kLine];  // transposed: a[.][p][row]
  __shared__ alignas(16) float b[2][S][L];
  int thread = threadIdx.x, x = thread % kSide, y = thread / kSide;
  int row0 = blockIdx.y * L, col0 = blockIdx.x * L;
  int ar = thread / 2, ac = thread % 2 * 4;              // this thread's four elements of A's L x 8 tile
  int br = thread / (L / 4), bc = thread % (L / 4) * 4;  // and of B's 8 x L tile
  float sum[V][V] = {};
  float4 next_a, next_b;
  auto fetch = [&](int p0) {  // global memory to registers
    next_a = load4(A, row0 + ar, p0 + ac, n, k);
    next_b = load4(B, p0 + br, col0 + bc, k, m);
  };
  auto put = [&](int buffer) {  // registers to one of the two pairs of tiles
    float(*t)[kLine] = a[buffer];
    t[ac][ar] = next_a.x, t[ac + 1][ar] = next_a.y, t[ac + 2][ar] = next_a.z, t[ac + 3][ar] = next_a.w;
    four(b[buffer][br][bc]) = next_b;
  };
  fetch(0);
  put(0);
  __syncthreads();
  int now = 0;
  for (int p0 = 0; p0 < k; p0 += S) {
    fetch(p0 + S);  // in flight during the multiply-adds; zeros after the last tile
    for (int p = 0; p < S; ++p) {
      alignas(16) float u[V], v[V];  // V rows from V y on; columns in groups of four, 4 kSide apart
      for (int i = 0; i < V; i += 4) four(u[i]) = four(a[now][p][y * V + i]);
      for (int j = 0; j < V; j += 4) four(v[j]) = four(b[now][p][x * 4 + j * kSide]);
      for (int i = 0; i < V; ++i)
        for (int j = 0; j < V; ++j) sum[i][j] += u[i] * v[j];
    }
    now = 1 - now;
    put(now);
    __syncthreads();
  }
  for (int i = 0; i < V; ++i)
    for (int j = 0; j < V; j += 4) store4(C, row0 + y * V + i, col0 + x * 4 + j * kSide, n, m, &sum[i][j]);
}

void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  int sms = 1;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  long tiles = long(n / 64) * (m / 128);  // of the smaller kind
  if (n % 64 == 0 && m % 256 == 0 && k % 32 == 0 && k > 0 && tiles >= 3 * sms)
    launch_whole_tiles<256, 16, 1, 2>(A, B, C, n, m, k);
  else if (n % 64 == 0 && m % 128 == 0 && k % 16 == 0 && k > 0 && tiles >= sms / 2)
    launch_whole_tiles<128, 8, 2, 3>(A, B, C, n, m, k);
  else if (long(m + 127) / 128 * ((n + 127) / 128) >= sms)
    multiply_any<128, 8><<<dim3((m + 127) / 128, (n + 127) / 128), 256>>>(A, B, C, n, m, k);
  else
    multiply_any<32, 4><<<dim3((m + 31) / 32, (n + 31) / 32), 64>>>(A, B, C, n, m, k);
}
