// Pieces of a language model at inference: rotary positions, attention of one new token, integer weights, and
// the choice of the next token.
#include <cuda_fp16.h>

#include "zoo.cuh"

// Rotates pairs of a head's values by angles that grow with the token's position.
__global__ void tf_rotate_heads(const __half2* in, __half2* out, int heads, int pairs, int first, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int pair = i % pairs, token = i / (pairs * heads);
  const float angle = (first + token) * exp2f(-13.287712f * pair / pairs);
  float sine, cosine;
  sincosf(angle, &sine, &cosine);
  const float2 v = __half22float2(in[i]);
  out[i] = __floats2half2_rn(v.x * cosine - v.y * sine, v.x * sine + v.y * cosine);
}

// A block per head: its warps share the keys, keep a running maximum and sum, and join them at the end.
__global__ void tf_attend_new_token(const __half2* query, const __half2* key, const __half2* value,
                                    float scale, float* out, int length) {
  __shared__ float largest[4], total[4], part[4][64];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, head = blockIdx.x;
  const float2 q = __half22float2(query[head * 32 + lane]);
  float high = -1e30f, sum = 0, x = 0, y = 0;
  for (int t = warp; t < length; t += 4) {
    const float2 k = __half22float2(key[(head * length + t) * 32 + lane]);
    float dot = q.x * k.x + q.y * k.y;
    for (int d = 16; d; d /= 2) dot += __shfl_xor_sync(0xffffffffu, dot, d);
    dot *= scale;
    const float next = fmaxf(high, dot), keep = __expf(high - next), w = __expf(dot - next);
    const float2 v = __half22float2(value[(head * length + t) * 32 + lane]);
    sum = sum * keep + w;
    x = x * keep + w * v.x;
    y = y * keep + w * v.y;
    high = next;
  }
  if (lane == 0) largest[warp] = high, total[warp] = sum;
  part[warp][2 * lane] = x;
  part[warp][2 * lane + 1] = y;
  __syncthreads();
  if (threadIdx.x >= 64) return;
  float top = largest[0];
  for (int w = 1; w < 4; ++w) top = fmaxf(top, largest[w]);
  float all = 0, mine = 0;
  for (int w = 0; w < 4; ++w) {
    const float share = __expf(largest[w] - top);
    all += share * total[w];
    mine += share * part[w][threadIdx.x];
  }
  out[head * 64 + threadIdx.x] = mine / all;
}

// C = A * B' of bytes, four products per instruction; a tile of 32 x 32 per block, 4 x 4 of it per thread.
__global__ void tf_multiply_bytes(const int* a, const int* b, const float* row_scale,
                                  const float* column_scale, float* c, int columns, int words) {
  __shared__ int left[32][9], right[32][9];
  const int t = threadIdx.x, tx = t % 8, ty = t / 8, row = blockIdx.y * 32, column = blockIdx.x * 32;
  int sum[4][4] = {};
  for (int k = 0; k < words; k += 8) {
    for (int i = t; i < 256; i += 64) {
      left[i / 8][i % 8] = a[(row + i / 8) * words + k + i % 8];
      right[i / 8][i % 8] = b[(column + i / 8) * words + k + i % 8];
    }
    __syncthreads();
#pragma unroll
    for (int w = 0; w < 8; ++w) {
      int p[4], q[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) p[i] = left[ty + 8 * i][w], q[i] = right[tx + 8 * i][w];
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) sum[i][j] = __dp4a(p[i], q[j], sum[i][j]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int r = row + ty + 8 * i, s = column + tx + 8 * j;
      c[r * columns + s] = sum[i][j] * row_scale[r] * column_scale[s];
    }
}

// A block per row of logits: the eight largest one after the other, their shares, and a draw among them.
__global__ void tf_draw_of_top(const float* logits, const float* draw, int* token, float* chance, int words) {
  extern __shared__ float logit[];
  __shared__ float warp_high[8], top[8];
  __shared__ int warp_at[8], at[8];
  const int t = threadIdx.x, lane = t % 32, row = blockIdx.x;
  for (int i = t; i < words; i += 256) logit[i] = logits[row * words + i];
  __syncthreads();
  for (int k = 0; k < 8; ++k) {
    float high = -1e30f;
    int best = words;
    for (int i = t; i < words; i += 256)
      if (logit[i] > high) high = logit[i], best = i;
    for (int d = 16; d; d /= 2) {
      const float h = __shfl_down_sync(0xffffffffu, high, d);
      const int b = __shfl_down_sync(0xffffffffu, best, d);
      if (h > high || (h == high && b < best)) high = h, best = b;
    }
    if (lane == 0) warp_high[t / 32] = high, warp_at[t / 32] = best;
    __syncthreads();
    if (t == 0) {
      int w = 0;
      for (int i = 1; i < 8; ++i)
        if (warp_high[i] > warp_high[w] || (warp_high[i] == warp_high[w] && warp_at[i] < warp_at[w])) w = i;
      top[k] = warp_high[w];
      at[k] = warp_at[w];
      logit[warp_at[w]] = -1e30f;
    }
    __syncthreads();
  }
  if (t) return;
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += expf(top[k] - top[0]);
  float left = draw[row] * sum;
  int k = 0;
  while (k < 7 && (left -= expf(top[k] - top[0])) > 0) ++k;
  token[row] = at[k];
  chance[row] = expf(top[k] - top[0]) / sum;
}

static std::vector<__half> random_halves(size_t n, unsigned seed, float low, float high) {
  std::vector<__half> v(n);
  Random r{seed};
  for (__half& x : v) x = __float2half(low + (high - low) * r.unit());
  return v;
}

static void attend(Zoo& zoo) {
  const int heads = 96, length = 200;
  const auto query = random_halves(heads * 64, 2, -1, 1), key = random_halves(heads * length * 64, 3, -1, 1),
             value = random_halves(heads * length * 64, 4, 0, 1);
  float* out = zoo.zeros<float>(heads * 64);
  tf_attend_new_token<<<heads, 128>>>((const __half2*)zoo.upload(query), (const __half2*)zoo.upload(key),
                                      (const __half2*)zoo.upload(value), 0.125f, out, length);
  const auto want = [&](size_t i) {
    const size_t head = i / 64;
    double sum = 0, mine = 0;
    for (int t = 0; t < length; ++t) {
      double dot = 0;
      for (int d = 0; d < 64; ++d)
        dot += __half2float(query[head * 64 + d]) * __half2float(key[(head * length + t) * 64 + d]);
      const double w = exp(0.125 * dot);
      sum += w;
      mine += w * __half2float(value[(head * length + t) * 64 + i % 64]);
    }
    return mine / sum;
  };
  zoo.expect_each("tf_attend_new_token", out, heads * 64, 1231, want, 1e-3);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("tf_rotate_heads")) {
    const int tokens = 300, heads = 24, pairs = 32, n = tokens * heads * pairs;
    const auto in = random_halves(2 * n, 1, 0, 1);
    auto* out = zoo.zeros<__half>(2 * n);
    tf_rotate_heads<<<(n + 255) / 256, 256>>>((const __half2*)zoo.upload(in), (__half2*)out, heads, pairs,
                                              100, n);
    const auto got = zoo.download(out, 2 * n);
    std::vector<float> value(2 * n);
    for (int i = 0; i < 2 * n; ++i) value[i] = __half2float(got[i]);
    const auto want = [&](size_t i) {
      const size_t p = i / 2;
      const double angle = (100 + p / (pairs * heads)) * exp2(-13.287712 * (p % pairs) / pairs);
      const double x = __half2float(in[2 * p]), y = __half2float(in[2 * p + 1]);
      return i % 2 ? x * sin(angle) + y * cos(angle) : x * cos(angle) - y * sin(angle);
    };
    zoo.expect_each("tf_rotate_heads", zoo.upload(value), 2 * n, 997, want, 2e-3);
  }
  if (zoo.runs("tf_attend_new_token")) attend(zoo);
  if (zoo.runs("tf_multiply_bytes")) {
    const int rows = 384, columns = 352, words = 96;
    const auto a = random_words(rows * words, 5), b = random_words(columns * words, 6);
    const auto p = random_floats(rows, 7, 1e-3f, 2e-3f), q = random_floats(columns, 8, 1e-3f, 2e-3f);
    float* c = zoo.zeros<float>(rows * columns);
    tf_multiply_bytes<<<dim3(columns / 32, rows / 32), 64>>>((const int*)zoo.upload(a),
                                                             (const int*)zoo.upload(b), zoo.upload(p),
                                                             zoo.upload(q), c, columns, words);
    const auto want = [&](size_t i) {
      int sum = 0;
      for (int k = 0; k < 4 * words; ++k)
        sum += ((const signed char*)&a[i / columns * words])[k] *
               ((const signed char*)&b[i % columns * words])[k];
      return sum * p[i / columns] * q[i % columns];
    };
    zoo.expect_each("tf_multiply_bytes", c, rows * columns, 2711, want, 1e-4);
  }
  if (zoo.runs("tf_draw_of_top")) {
    const int rows = 40, words = 6000;
    const auto logits = random_floats(rows * words, 9, -6, 6), draw = random_floats(rows, 10);
    int* token = zoo.zeros<int>(rows);
    float* chance = zoo.zeros<float>(rows);
    tf_draw_of_top<<<rows, 256, words * sizeof(float)>>>(zoo.upload(logits), zoo.upload(draw), token, chance,
                                                         words);
    zoo.show("tf_draw_of_top", token, rows);
    const auto got = zoo.download(token, rows);
    const auto shares = zoo.download(chance, rows);
    int wrong = 0;
    for (int r = 0; r < rows; ++r) {
      int above = 0;
      const float mine = logits[r * words + got[r]];
      for (int i = 0; i < words; ++i) above += logits[r * words + i] > mine;
      wrong += above > 7 || !(shares[r] > 0.05f && shares[r] < 0.3f);
    }
    zoo.require("tf_draw_of_top", wrong == 0, "each token is among the row's eight largest");
  }
  return zoo.done();
}
