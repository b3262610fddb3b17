// Tensor cores through WMMA: attention without the matrix of scores, doubles in tiles of 8 x 8, a product
// whose operands arrive asynchronously, and bytes with zero points.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include "zoo.cuh"

namespace wmma = nvcuda::wmma;

template <class T, int M, int N, int K>
using RowA = wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::row_major>;
template <class T, int M, int N, int K>
using RowB = wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::row_major>;
template <class T, int M, int N, int K>
using ColumnB = wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::col_major>;
template <class T, int M, int N, int K>
using Sum = wmma::fragment<wmma::accumulator, M, N, K, T>;

constexpr int depth = 64, keys_at_once = 32;

// Flash attention: a warp per 16 queries, 32 keys at a time. Maximum, sum and result are corrected as keys
// come.
__global__ void __launch_bounds__(128)
    tt_flash_attention(const __half* query, const __half* key, const __half* value, __half* out, int length,
                       float scale) {
  __shared__ __align__(32) __half keys[keys_at_once][depth + 16], values[keys_at_once][depth + 16];
  __shared__ __align__(32) float scores[4][16][keys_at_once + 8], results[4][16][depth + 8];
  __shared__ __align__(32) __half shares[4][16][keys_at_once + 16];
  const int t = threadIdx.x, warp = t / 32, lane = t % 32, row = lane / 2, side = lane % 2;
  const size_t head = size_t(blockIdx.y) * length * depth;
  const int first = blockIdx.x * 64 + warp * 16;
  RowA<__half, 16, 16, 16> q[depth / 16];
  for (int d = 0; d < depth / 16; ++d)
    wmma::load_matrix_sync(q[d], query + head + first * depth + 16 * d, depth);
  for (int d = side; d < depth; d += 2) results[warp][row][d] = 0;
  float high = -1e30f, sum = 0;
  for (int k = 0; k < length; k += keys_at_once) {
    __syncthreads();
    for (int i = t; i < keys_at_once * depth / 8; i += 128) {
      const int r = i / (depth / 8), c = i % (depth / 8) * 8;
      *(uint4*)&keys[r][c] = *(const uint4*)&key[head + (k + r) * depth + c];
      *(uint4*)&values[r][c] = *(const uint4*)&value[head + (k + r) * depth + c];
    }
    __syncthreads();
    for (int j = 0; j < keys_at_once / 16; ++j) {
      Sum<float, 16, 16, 16> s;
      wmma::fill_fragment(s, 0.0f);
#pragma unroll
      for (int d = 0; d < depth / 16; ++d) {
        ColumnB<__half, 16, 16, 16> b;
        wmma::load_matrix_sync(b, &keys[16 * j][16 * d], depth + 16);
        wmma::mma_sync(s, q[d], b, s);
      }
      wmma::store_matrix_sync(&scores[warp][0][16 * j], s, keys_at_once + 8, wmma::mem_row_major);
    }
    __syncwarp();
    float top = high;
    for (int j = side; j < keys_at_once; j += 2) top = fmaxf(top, scale * scores[warp][row][j]);
    top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 1));
    const float keep = __expf(high - top);
    high = top;
    float added = 0;
    for (int j = side; j < keys_at_once; j += 2) {
      const float p = __expf(scale * scores[warp][row][j] - top);
      shares[warp][row][j] = __float2half(p);
      added += p;
    }
    sum = sum * keep + added + __shfl_xor_sync(0xffffffffu, added, 1);
    for (int d = side; d < depth; d += 2) results[warp][row][d] *= keep;
    __syncwarp();
    for (int d = 0; d < depth / 16; ++d) {
      Sum<float, 16, 16, 16> o;
      wmma::load_matrix_sync(o, &results[warp][0][16 * d], depth + 8, wmma::mem_row_major);
#pragma unroll
      for (int j = 0; j < keys_at_once / 16; ++j) {
        RowA<__half, 16, 16, 16> p;
        RowB<__half, 16, 16, 16> v;
        wmma::load_matrix_sync(p, &shares[warp][0][16 * j], keys_at_once + 16);
        wmma::load_matrix_sync(v, &values[16 * j][16 * d], depth + 16);
        wmma::mma_sync(o, p, v, o);
      }
      wmma::store_matrix_sync(&results[warp][0][16 * d], o, depth + 8, wmma::mem_row_major);
    }
    __syncwarp();
  }
  for (int d = side; d < depth; d += 2)
    out[head + (first + row) * depth + d] = __float2half(results[warp][row][d] / sum);
}

// C = A * B of doubles, from global memory: a warp has 16 x 16 of C.
__global__ void tt_double_tiles(const double* a, const double* b, double* c, int columns, int inner) {
  const int warp = threadIdx.x / 32, row = blockIdx.y * 32 + warp / 2 * 16,
            column = blockIdx.x * 32 + warp % 2 * 16;
  Sum<double, 8, 8, 4> sum[2][2];
  for (auto& line : sum)
    for (auto& s : line) wmma::fill_fragment(s, 0.0);
  for (int k = 0; k < inner; k += 4) {
    RowA<double, 8, 8, 4> left[2];
    RowB<double, 8, 8, 4> right[2];
    for (int i = 0; i < 2; ++i) {
      wmma::load_matrix_sync(left[i], a + (row + 8 * i) * inner + k, inner);
      wmma::load_matrix_sync(right[i], b + k * columns + column + 8 * i, columns);
    }
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) wmma::mma_sync(sum[i][j], left[i], right[j], sum[i][j]);
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      wmma::store_matrix_sync(c + (row + 8 * i) * columns + column + 8 * j, sum[i][j], columns,
                              wmma::mem_row_major);
}

// Tiles of 64 x 64; while one step of 32 is multiplied, the next is copied.
struct Stage {
  __half a[64][48], b[32][80];
};

__device__ void copy_stage(Stage& stage, const __half* a, const __half* b, int columns, int inner, int k) {
  for (int i = threadIdx.x; i < 256; i += 128) {
    const int r = i / 4, c = i % 4 * 8, s = i / 8, d = i % 8 * 8;
    __pipeline_memcpy_async(&stage.a[r][c], a + (blockIdx.y * 64 + r) * inner + k + c, 16);
    __pipeline_memcpy_async(&stage.b[s][d], b + (k + s) * columns + blockIdx.x * 64 + d, 16);
  }
  __pipeline_commit();
}

__global__ void __launch_bounds__(128)
    tt_copy_and_multiply(const __half* a, const __half* b, float* c, int columns, int inner) {
  __shared__ __align__(32) Stage stage[2];
  const int warp = threadIdx.x / 32, row = warp / 2 * 32, column = warp % 2 * 32;
  Sum<float, 16, 16, 16> sum[2][2];
  for (auto& line : sum)
    for (auto& s : line) wmma::fill_fragment(s, 0.0f);
  copy_stage(stage[0], a, b, columns, inner, 0);
  for (int k = 0; k < inner; k += 32) {
    const Stage& now = stage[k / 32 % 2];
    if (k + 32 < inner) copy_stage(stage[k / 32 % 2 ^ 1], a, b, columns, inner, k + 32);
    __pipeline_wait_prior(k + 32 < inner ? 1 : 0);
    __syncthreads();
#pragma unroll
    for (int d = 0; d < 32; d += 16) {
      RowA<__half, 16, 16, 16> left[2];
      RowB<__half, 16, 16, 16> right[2];
      for (int i = 0; i < 2; ++i) {
        wmma::load_matrix_sync(left[i], &now.a[row + 16 * i][d], 48);
        wmma::load_matrix_sync(right[i], &now.b[d][column + 16 * i], 80);
      }
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) wmma::mma_sync(sum[i][j], left[i], right[j], sum[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      wmma::store_matrix_sync(
          c + (blockIdx.y * 64 + row + 16 * i) * columns + blockIdx.x * 64 + column + 16 * j, sum[i][j],
          columns, wmma::mem_row_major);
}

// Bytes that stand for (value - zero point): the products are corrected by the sums of rows and of columns.
// Both operands are packed in tiles of 16 x 16 bytes, as loads of fragments need them aligned.
__global__ void tt_quantised_layer(const unsigned char* a, const unsigned char* b, const int* row_sum,
                                   const int* column_sum, unsigned char* c, int columns, int inner,
                                   int zero_a, int zero_b, float scale) {
  __shared__ __align__(32) int tile[4][16][16];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row = blockIdx.y * 16, column = (blockIdx.x * 4 + warp) * 16;
  Sum<int, 16, 16, 16> sum;
  wmma::fill_fragment(sum, 0);
  for (int k = 0; k < inner; k += 16) {
    RowA<unsigned char, 16, 16, 16> left;
    ColumnB<unsigned char, 16, 16, 16> right;
    wmma::load_matrix_sync(left, a + row * inner + 16 * k, 16);
    wmma::load_matrix_sync(right, b + column * inner + 16 * k, 16);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(&tile[warp][0][0], sum, 16, wmma::mem_row_major);
  __syncwarp();
  for (int i = lane; i < 256; i += 32) {
    const int r = row + i / 16, s = column + i % 16;
    const int exact =
        tile[warp][i / 16][i % 16] - zero_b * row_sum[r] - zero_a * column_sum[s] + inner * zero_a * zero_b;
    c[r * columns + s] = (unsigned char)min(max(__float2int_rn(exact * scale) + 128, 0), 255);
  }
}

static std::vector<__half> random_halves(size_t n, unsigned seed) {
  std::vector<__half> v(n);
  Random r{seed};
  for (__half& x : v) x = __float2half(2 * r.unit() - 1);
  return v;
}

static void flash_attention(Zoo& zoo) {
  const int heads = 20, length = 384, n = heads * length * depth;
  const auto query = random_halves(n, 1), key = random_halves(n, 2), value = random_halves(n, 3);
  __half* out = zoo.zeros<__half>(n);
  tt_flash_attention<<<dim3(length / 64, heads), 128>>>(zoo.upload(query), zoo.upload(key), zoo.upload(value),
                                                        out, length, 0.5f);
  std::vector<float> got;
  for (__half x : zoo.download(out, n)) got.push_back(__half2float(x));
  const auto want = [&](size_t i) {
    const size_t head = i / (length * depth) * length * depth, row = i / depth * depth;
    double sum = 0, mine = 0;
    for (int k = 0; k < length; ++k) {
      double dot = 0;
      for (int d = 0; d < depth; ++d)
        dot += __half2float(query[row + d]) * __half2float(key[head + k * depth + d]);
      sum += exp(0.5 * dot);
      mine += exp(0.5 * dot) * __half2float(value[head + k * depth + i % depth]);
    }
    return mine / sum;
  };
  zoo.expect_each("tt_flash_attention", zoo.upload(got), n, 3001, want, 4e-3);
}

// Rows of bytes in tiles of 16 x 16, those of 16 rows one after the other.
static std::vector<unsigned char> in_tiles(const std::vector<unsigned char>& rows, int inner) {
  std::vector<unsigned char> tiles(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    const size_t r = i / inner, k = i % inner;
    tiles[r / 16 * 16 * inner + k / 16 * 256 + r % 16 * 16 + k % 16] = rows[i];
  }
  return tiles;
}

static void quantised_layer(Zoo& zoo) {
  const int rows = 240, columns = 448, inner = 512, zero_a = 120, zero_b = 131;
  std::vector<unsigned char> a(rows * inner), b(columns * inner);
  Random r{8};
  for (auto& x : a) x = (unsigned char)r.below(256);
  for (auto& x : b) x = (unsigned char)r.below(256);
  std::vector<int> row_sum(rows), column_sum(columns);
  for (size_t i = 0; i < a.size(); ++i) row_sum[i / inner] += a[i];
  for (size_t i = 0; i < b.size(); ++i) column_sum[i / inner] += b[i];
  auto* c = zoo.zeros<unsigned char>(rows * columns);
  tt_quantised_layer<<<dim3(columns / 64, rows / 16), 128>>>(
      zoo.upload(in_tiles(a, inner)), zoo.upload(in_tiles(b, inner)), zoo.upload(row_sum),
      zoo.upload(column_sum), c, columns, inner, zero_a, zero_b, 3e-4f);
  const auto want = [&](size_t i) {
    int sum = 0;
    for (int k = 0; k < inner; ++k)
      sum += (a[i / columns * inner + k] - zero_a) * (b[i % columns * inner + k] - zero_b);
    const int q = int(lrintf(sum * 3e-4f)) + 128;
    return q < 0 ? 0 : q > 255 ? 255 : q;
  };
  zoo.expect_each("tt_quantised_layer", c, rows * columns, 307, want, 1e-12);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("tt_flash_attention")) flash_attention(zoo);
  if (zoo.runs("tt_double_tiles")) {
    const int rows = 256, columns = 352, inner = 160;
    const auto a = random_doubles(rows * inner, 4, -1, 1), b = random_doubles(inner * columns, 5, -1, 1);
    double* c = zoo.zeros<double>(rows * columns);
    tt_double_tiles<<<dim3(columns / 32, rows / 32), 128>>>(zoo.upload(a), zoo.upload(b), c, columns, inner);
    const auto want = [&](size_t i) {
      double sum = 0;
      for (int k = 0; k < inner; ++k) sum += a[i / columns * inner + k] * b[k * columns + i % columns];
      return sum;
    };
    zoo.expect_each("tt_double_tiles", c, rows * columns, 1709, want, 1e-12);
  }
  if (zoo.runs("tt_copy_and_multiply")) {
    const int rows = 896, columns = 640, inner = 416;
    const auto a = random_halves(rows * inner, 6), b = random_halves(inner * columns, 7);
    float* c = zoo.zeros<float>(rows * columns);
    tt_copy_and_multiply<<<dim3(columns / 64, rows / 64), 128>>>(zoo.upload(a), zoo.upload(b), c, columns,
                                                                 inner);
    const auto want = [&](size_t i) {
      double sum = 0;
      for (int k = 0; k < inner; ++k)
        sum += __half2float(a[i / columns * inner + k]) * __half2float(b[k * columns + i % columns]);
      return sum;
    };
    zoo.expect_each("tt_copy_and_multiply", c, rows * columns, 3701, want, 1e-3);
  }
  if (zoo.runs("tt_quantised_layer")) quantised_layer(zoo);
  return zoo.done();
}
