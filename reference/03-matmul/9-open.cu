// C = A B in fp32. Two kernels: one for shapes that its tiles divide, one for every other shape
// and for small ones. On an H100 the first reaches 0.96 times the speed of cuBLAS at 2048
// (assets/recordings/h100.json). Bound by latency at the default size, at 2048 by the multiply-adds
// and by reading their registers. A thread computes 8 x 8 outputs; 64 FFMA need 16 operands from
// shared memory, four 16-byte loads. The rest is to keep everything else out of their way:
// 1. B's tile goes from global to shared memory by cp.async, without registers. A's tile must be
// transposed, so it waits in registers during the arithmetic, as in step 6. Where few blocks
// share an SM, two tiles are in flight (`ahead`).
// 2. The operands of row p + 1 are loaded while row p is multiplied: two sets of fragments.
// 3. The FFMA of one row run left to right, those of the next right to left. Consecutive ones
// then share an operand, which the register file's reuse cache holds.
// 4. Blocks that run together lie in 8 rows of tiles, so that what they read is in the L2.
#include <cuda_pipeline.h>

__device__ float4& as_float4(float& first) { return reinterpret_cast<float4&>(first); }
__device__ const float4& as_float4(const float& first) {
  return reinterpret_cast<const float4&>(first);
}

constexpr int block_rows = 64;  // of C, per block
constexpr int warp_rows = 32;   // of C, per warp: 4 x 8 lanes of 8 x 8 outputs
constexpr int warp_cols = 64;
constexpr int group_rows = 8;          // rows of tiles that are worked on together
constexpr int pitch = block_rows + 4;  // of a row in A's tile

/// Where a block's tile lies: group_rows rows of tiles are done column by column before the next
/// rows start.
__device__ int2 tile_of(int id, int tile_rows, int tile_cols) {
  int group = id / (group_rows * tile_cols);
  int rest = id % (group_rows * tile_cols);
  int rows = min(group_rows, tile_rows - group * group_rows);
  return {group * group_rows + rest % rows, rest / rows};
}

// A is n x k, B is k x m, C is n x m, all row by row; n is a multiple of 64, m of block_cols, k of
// 2 depth. ahead tiles (1 or 2) are in flight while one is used.
template <int block_cols, int depth, int ahead, int blocks_per_sm>
__global__ void __launch_bounds__(block_cols, blocks_per_sm)
    multiply_whole_tiles(const float* __restrict__ A, const float* __restrict__ B,
                         float* __restrict__ C, int n, int m, int k) {
  constexpr int threads = block_cols;  // (64 / 32) x (block_cols / 64) warps
  constexpr int loads_a = block_rows * depth / 4 / threads;
  constexpr int loads_b = block_cols * depth / 4 / threads;
  extern __shared__ float4 memory[];
  float(*a)[depth][pitch] = reinterpret_cast<float(*)[depth][pitch]>(memory);  // [2], transposed
  float(*b)[depth][block_cols] =
      reinterpret_cast<float(*)[depth][block_cols]>(a + 2);  // [2 ahead], a ring
  int thread = threadIdx.x;
  int warp = thread / 32;
  int lane = thread % 32;
  int2 place = tile_of(blockIdx.x, n / block_rows, m / block_cols);
  int row = warp / (block_cols / warp_cols) * warp_rows +
            lane / 8 * 4;  // first output of this thread in the block's
  int col = warp % (block_cols / warp_cols) * warp_cols + lane % 8 * 4;

  // What this thread brings of each pair of tiles: 16 bytes at a time.
  constexpr int step_a = threads / (depth / 4);
  constexpr int step_b = threads / (block_cols / 4);
  int ar = thread / (depth / 4);
  int ac = thread % (depth / 4) * 4;
  int br = thread / (block_cols / 4);
  int bc = thread % (block_cols / 4) * 4;
  const float* from_a = A + size_t(place.x * block_rows + ar) * k + ac;
  const float* from_b = B + size_t(br) * m + place.y * block_cols + bc;
  float4 next_a[ahead][loads_a];

  auto fetch = [&](int tile) {  // starts both: A to registers, B straight to shared memory
    if (tile * depth < k) {
#pragma unroll
      for (int i = 0; i < loads_a; ++i)
        next_a[tile % ahead][i] = as_float4(from_a[size_t(i * step_a) * k]);
#pragma unroll
      for (int i = 0; i < loads_b; ++i)
        __pipeline_memcpy_async(&b[tile % (2 * ahead)][br + i * step_b][bc],
                                from_b + size_t(i * step_b) * m, 16);
      from_a += depth;
      from_b += size_t(depth) * m;
    }
    __pipeline_commit();  // past the end an empty one, so that the count below stays right
  };
  auto put = [&](int tile) {  // A from registers, turned
#pragma unroll
    for (int i = 0; i < loads_a; ++i) {
      float* to = &a[tile % 2][ac][ar + i * step_a];
      float4 v = next_a[tile % ahead][i];
      to[0] = v.x;
      to[pitch] = v.y;
      to[2 * pitch] = v.z;
      to[3 * pitch] = v.w;
    }
    __pipeline_wait_prior(ahead - 1);  // and B has arrived
  };

  float sum[8][8] = {};
  float u[2][8], v[2][8];
  auto load = [&](int tile, int p, int set) {
    const float* line_a = a[tile % 2][p];
    const float* line_b = b[tile % (2 * ahead)][p];
    as_float4(u[set][0]) = as_float4(line_a[row]);
    as_float4(u[set][4]) = as_float4(line_a[row + 16]);
    as_float4(v[set][0]) = as_float4(line_b[col]);
    as_float4(v[set][4]) = as_float4(line_b[col + 32]);
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
    fetch(tile + ahead);
#pragma unroll
    for (int p = 0; p < depth - 1; ++p) {
      load(tile, p + 1, (p + 1) % 2);
      multiply(p % 2);
    }
    put(tile + 1);  // after the last tile what it stores is never read
    __syncthreads();
    load(tile + 1, 0, 0);
    multiply((depth - 1) % 2);
  };

  for (int tile = 0; tile < ahead; ++tile) fetch(tile);
  put(0);
  __syncthreads();
  load(0, 0, 0);
  for (int tile = 0; tile * depth < k;
       tile += 2) {  // two per round, so that register indices are known at compile time
    one_tile(tile);
    one_tile(tile + 1);
  }

  float* to = C + size_t(place.x * block_rows + row) * m + place.y * block_cols + col;
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 8; j += 4)
      as_float4(to[size_t(i / 4 * 16 + i % 4) * m + j * 8]) = as_float4(sum[i][j]);
}

template <int block_cols, int depth, int ahead, int blocks_per_sm>
void launch_whole_tiles(const float* A, const float* B, float* C, int n, int m, int k) {
  auto kernel = multiply_whole_tiles<block_cols, depth, ahead, blocks_per_sm>;
  int bytes = 2 * depth * (pitch + ahead * block_cols) * sizeof(float);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  kernel<<<(n / block_rows) * (m / block_cols), block_cols, bytes>>>(A, B, C, n, m, k);
}

// x[row][col] to x[row][col + 3]; zeros outside. One 16-byte load where rows start on 16 bytes.
__device__ float4 load4(const float* x, int row, int col, int rows, int cols) {
  if (row >= rows || col >= cols) return {0.0f, 0.0f, 0.0f, 0.0f};
  const float* p = x + row * cols + col;
  if (cols % 4 == 0) return as_float4(*p);
  return {p[0], col + 1 < cols ? p[1] : 0.0f, col + 2 < cols ? p[2] : 0.0f,
          col + 3 < cols ? p[3] : 0.0f};
}

__device__ void store4(float* x, int row, int col, int rows, int cols, const float* v) {
  if (row >= rows || col >= cols) return;
  float* p = x + row * cols + col;
  if (cols % 4 == 0)
    as_float4(*p) = {v[0], v[1], v[2], v[3]};
  else
    for (int j = 0; j < 4 && col + j < cols; ++j) p[j] = v[j];
}

// Any shape: step 6 with a tile of L x L outputs, V x V per thread, edges filled with zeros. A 256
// x 256 result has only 4 tiles of 128 x 128, and 128 of an H100's 132 SMs would idle; tiles
// of 32 x 32 make 64 blocks.
template <int L, int V>
__global__ void __launch_bounds__(L * 2)
    multiply_any(const float* A, const float* B, float* C, int n, int m, int k) {
  constexpr int S = 8;
  constexpr int side = L / V;
  constexpr int pitch = L + 4;
  static_assert(side * side == L * S / 4, "one float4 of each tile per thread");
  __shared__ alignas(16) float a[2][S][pitch];  // transposed: a[.][p][row]
  __shared__ alignas(16) float b[2][S][L];
  int thread = threadIdx.x;
  int x = thread % side;
  int y = thread / side;
  int row0 = blockIdx.y * L;
  int col0 = blockIdx.x * L;
  int ar = thread / 2;  // this thread's four elements of A's L x 8 tile
  int ac = thread % 2 * 4;
  int br = thread / (L / 4);  // and of B's 8 x L tile
  int bc = thread % (L / 4) * 4;
  float sum[V][V] = {};
  float4 next_a, next_b;
  auto fetch = [&](int p0) {  // global memory to registers
    next_a = load4(A, row0 + ar, p0 + ac, n, k);
    next_b = load4(B, p0 + br, col0 + bc, k, m);
  };
  auto put = [&](int buffer) {  // registers to one of the two pairs of tiles
    float(*t)[pitch] = a[buffer];
    t[ac][ar] = next_a.x;
    t[ac + 1][ar] = next_a.y;
    t[ac + 2][ar] = next_a.z;
    t[ac + 3][ar] = next_a.w;
    as_float4(b[buffer][br][bc]) = next_b;
  };
  fetch(0);
  put(0);
  __syncthreads();
  int now = 0;
  for (int p0 = 0; p0 < k; p0 += S) {
    fetch(p0 + S);  // in flight during the multiply-adds; zeros after the last tile
    for (int p = 0; p < S; ++p) {
      alignas(16) float u[V], v[V];  // V rows from V y on; columns in groups of four, 4 side apart
      for (int i = 0; i < V; i += 4) as_float4(u[i]) = as_float4(a[now][p][y * V + i]);
      for (int j = 0; j < V; j += 4) as_float4(v[j]) = as_float4(b[now][p][x * 4 + j * side]);
      for (int i = 0; i < V; ++i)
        for (int j = 0; j < V; ++j) sum[i][j] += u[i] * v[j];
    }
    now = 1 - now;
    put(now);
    __syncthreads();
  }
  for (int i = 0; i < V; ++i)
    for (int j = 0; j < V; j += 4)
      store4(C, row0 + y * V + i, col0 + x * 4 + j * side, n, m, &sum[i][j]);
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
