// One step of a diffusion model that makes pictures: the embedding of its time, convolutions, attention to
// the words, and the sampler. Activations are halves, sums floats.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <algorithm>
#include <cuda/barrier>
#include <utility>

#include "zoo.cuh"

namespace cg = cooperative_groups;
using namespace nvcuda;

__host__ __device__ inline float silu(float x) { return x / (1.0f + expf(-x)); }

constexpr int time_width = 128;

/// A layer of the time embedding: one warp per output.
__global__ void df_embed_time(const float* weight, const float* in, float* out) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  const float4 w = reinterpret_cast<const float4*>(weight + row * time_width)[lane];
  const float4 x = reinterpret_cast<const float4*>(in)[lane];
  float y = w.x * x.x + w.y * x.y + w.z * x.z + w.w * x.w;
  y = cg::reduce(cg::tiled_partition<32>(cg::this_thread_block()), y, cg::plus<float>());
  if (lane == 0) out[row] = silu(y);
}

constexpr int inner = 128, pitch = inner + 8;

/// A convolution of 1 x 1: [channels x 128] times [128 x pixels] on tensor cores. A block of four warps makes
/// 64 channels x 64 pixels; a bias per channel is added on the way out.
__global__ void __launch_bounds__(128)
    df_mix_channels(const half* weight, const half* image, const float* bias, half* out, int pixels) {
  __shared__ alignas(32) half a[64][pitch];
  __shared__ alignas(32) half b[inner][64 + 8];
  __shared__ alignas(32) float result[4][16][16];
  const int t = threadIdx.x, warp = t / 32, lane = t % 32;
  const int row0 = blockIdx.y * 64, pixel0 = blockIdx.x * 64;
  for (int i = t; i < 64 * inner / 8; i += 128) {
    const int r = i / (inner / 8), c = i % (inner / 8) * 8;
    *(uint4*)&a[r][c] = *(const uint4*)&weight[(row0 + r) * inner + c];
  }
  for (int i = t; i < inner * 64 / 8; i += 128) {
    const int r = i / 8, c = i % 8 * 8;
    *(uint4*)&b[r][c] = *(const uint4*)&image[r * pixels + pixel0 + c];
  }
  __syncthreads();
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4];
  for (auto& s : sum) wmma::fill_fragment(s, 0.0f);
  for (int k = 0; k < inner; k += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
    wmma::load_matrix_sync(left, &a[warp * 16][k], pitch);
    for (int n = 0; n < 4; ++n) {
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
      wmma::load_matrix_sync(right, &b[k][n * 16], 64 + 8);
      wmma::mma_sync(sum[n], left, right, sum[n]);
    }
  }
  for (int n = 0; n < 4; ++n) {
    wmma::store_matrix_sync(&result[warp][0][0], sum[n], 16, wmma::mem_row_major);
    __syncwarp();
    const int r = lane / 2, c = lane % 2 * 8, row = row0 + warp * 16 + r;
    alignas(16) __half2 packed[4];
    for (int k = 0; k < 4; ++k)
      packed[k] = __floats2half2_rn(result[warp][r][c + 2 * k] + bias[row],
                                    result[warp][r][c + 2 * k + 1] + bias[row]);
    *(uint4*)&out[size_t(row) * pixels + pixel0 + n * 16 + c] = *(uint4*)packed;
    __syncwarp();
  }
}

constexpr int line = 256, ring = 4;

/// A depthwise convolution of 3 x 3, rows that go past a ring of four lines in shared memory: bulk copies
/// bring each line, a barrier per place of the ring says that it is there. grid (strips, channels).
__global__ void __launch_bounds__(line)
    df_convolve_rows(const float* in, const float* kernel, float* out, int height, int rows_per_block) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(128) float row[ring][line];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier full[ring];
  const int x = threadIdx.x, first = blockIdx.x * rows_per_block;
  const float* channel = in + size_t(blockIdx.y) * height * line;
  if (x == 0) {
    for (auto& f : full) init(&f, 1);
    cuda::device::experimental::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  // Lines above and below the picture repeat its edge. Line k of this block is picture row first + k - 1.
  const auto fetch = [&](int k) {
    const int y = min(max(first + k - 1, 0), height - 1);
    cuda::device::memcpy_async_tx(row[k % ring], channel + y * line, cuda::aligned_size_t<16>(line * 4),
                                  full[k % ring]);
    (void)cuda::device::barrier_arrive_tx(full[k % ring], 1, line * 4);
  };
  float w[9];
  for (int k = 0; k < 9; ++k) w[k] = kernel[blockIdx.y * 9 + k];
  if (x == 0)
    for (int k = 0; k < ring; ++k) fetch(k);
  const int left = max(x - 1, 0), right = min(x + 1, line - 1);
  full[0].wait_parity(false);
  full[1].wait_parity(false);
  for (int r = 0; r < rows_per_block; ++r) {
    full[(r + 2) % ring].wait_parity((r + 2) / ring % 2);
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 3; ++k) {
      const float* here = row[(r + k) % ring];
      sum += w[3 * k] * here[left] + w[3 * k + 1] * here[x] + w[3 * k + 2] * here[right];
    }
    out[(size_t(blockIdx.y) * height + first + r) * line + x] = sum;
    __syncthreads();
    if (x == 0 && r + ring < rows_per_block + 2) fetch(r + ring);
  }
}

constexpr int words = 77, head = 32;

/// Attention of pixels to the words of the prompt: keys and values of one head in shared memory, a pixel per
/// thread, the softmax kept up to date word by word. [head][pixel][32]
__global__ void __launch_bounds__(128, 3)
    df_attend_words(const __half2* query, const __half2* key, const __half2* value, float2* out, int pixels) {
  __shared__ __half2 k[words][head / 2], v[words][head / 2];
  for (int i = threadIdx.x; i < words * head / 2; i += blockDim.x) {
    (&k[0][0])[i] = key[blockIdx.y * words * head / 2 + i];
    (&v[0][0])[i] = value[blockIdx.y * words * head / 2 + i];
  }
  __syncthreads();
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= pixels) return;
  __half2 q[head / 2];
  float2 sum[head / 2];
#pragma unroll
  for (int d = 0; d < head / 2; ++d) {
    q[d] = query[(size_t(blockIdx.y) * pixels + p) * (head / 2) + d];
    sum[d] = make_float2(0, 0);
  }
  float top = -1e30f, total = 0;
  for (int j = 0; j < words; ++j) {
    __half2 s = __float2half2_rn(0);
#pragma unroll
    for (int d = 0; d < head / 2; ++d) s = __hfma2(q[d], k[j][d], s);
    const float score = (__low2float(s) + __high2float(s)) * 0.17677669f;
    const float high = fmaxf(top, score), old = __expf(top - high), now = __expf(score - high);
    total = total * old + now;
    top = high;
#pragma unroll
    for (int d = 0; d < head / 2; ++d) {
      const float2 x = __half22float2(v[j][d]);
      sum[d] = make_float2(sum[d].x * old + now * x.x, sum[d].y * old + now * x.y);
    }
  }
#pragma unroll
  for (int d = 0; d < head / 2; ++d)
    out[(size_t(blockIdx.y) * pixels + p) * (head / 2) + d] = make_float2(sum[d].x / total, sum[d].y / total);
}

/// Philox with seven rounds: four random words of a counter.
__host__ __device__ inline uint4 philox(unsigned counter, unsigned key) {
  uint4 c = make_uint4(counter, 0, 0, 0);
  unsigned k0 = key, k1 = ~key;
  for (int round = 0; round < 7; ++round) {
    const unsigned long long a = 0xD2511F53ull * c.x, b = 0xCD9E8D57ull * c.z;
    c = make_uint4(unsigned(b >> 32) ^ c.y ^ k0, unsigned(b), unsigned(a >> 32) ^ c.w ^ k1, unsigned(a));
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return c;
}

/// A step of the sampler: what the model said, guided away from what it says without a prompt, and fresh
/// noise.
__global__ void df_step_sampler(const float4* x, const float4* with, const float4* without, float4* out,
                                int n, float guidance, float keep, float noise) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const uint4 r = philox(i, 2024);
    float4 z;
    float radius = sqrtf(-2 * __logf((r.x + 0.5f) * 2.3283064e-10f));
    __sincosf(r.y * 1.4629181e-9f, &z.x, &z.y);
    z.x *= radius, z.y *= radius;
    radius = sqrtf(-2 * __logf((r.z + 0.5f) * 2.3283064e-10f));
    __sincosf(r.w * 1.4629181e-9f, &z.z, &z.w);
    z.z *= radius, z.w *= radius;
    const float4 a = x[i], b = with[i], c = without[i];
    out[i] = make_float4(keep * (a.x - c.x - guidance * (b.x - c.x)) + noise * z.x,
                         keep * (a.y - c.y - guidance * (b.y - c.y)) + noise * z.y,
                         keep * (a.z - c.z - guidance * (b.z - c.z)) + noise * z.z,
                         keep * (a.w - c.w - guidance * (b.w - c.w)) + noise * z.w);
  }
}

/// Four channels become a picture of twice the side, or the other way round. blockIdx.z is the channel of the
/// large picture.
template <bool Larger>
__global__ void df_shuffle_pixels(const half* in, half* out, int side) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= 2 * side || y >= 2 * side) return;
  const size_t large = (size_t(blockIdx.z) * 2 * side + y) * 2 * side + x,
               small = ((blockIdx.z * 4 + y % 2 * 2 + x % 2) * size_t(side) + y / 2) * side + x / 2;
  if (Larger)
    out[large] = in[small];
  else
    out[small] = in[large];
}

static std::vector<half> random_halves(size_t n, unsigned seed, float low, float high) {
  const auto f = random_floats(n, seed, low, high);
  return std::vector<half>(f.begin(), f.end());
}

static void embed_time(Zoo& zoo) {
  const int layers = 9;
  const auto weight = random_floats(time_width * time_width, 1, -0.2f, 0.25f);
  auto x = random_floats(time_width, 2, -1, 1);
  const float* w = zoo.upload(weight);
  float* step[2] = {zoo.upload(x), zoo.zeros<float>(time_width)};
  float* first = zoo.zeros<float>(time_width);
  for (int l = 0; l < layers; ++l)
    df_embed_time<<<time_width / 8, 256>>>(w,
                                           l == 0  ? step[0]
                                           : l % 2 ? first
                                                   : step[1],
                                           l % 2 ? step[1] : first);
  for (int l = 0; l < layers; ++l) {
    std::vector<float> y(time_width);
    for (int r = 0; r < time_width; ++r) {
      double sum = 0;
      for (int k = 0; k < time_width; ++k) sum += double(weight[r * time_width + k]) * x[k];
      y[r] = silu(float(sum));
    }
    x = y;
  }
  zoo.expect_each(
      "df_embed_time", first, time_width, 1, [&](size_t i) { return x[i]; }, 1e-3);
}

static void mix_channels(Zoo& zoo) {
  const int channels = 192, pixels = 3072;
  const auto weight = random_halves(channels * inner, 5, -0.5f, 0.6f),
             image = random_halves(inner * pixels, 6, -1, 1);
  const auto bias = random_floats(channels, 7);
  half* out = zoo.zeros<half>(channels * pixels);
  df_mix_channels<<<dim3(pixels / 64, channels / 64), 128>>>(zoo.upload(weight), zoo.upload(image),
                                                             zoo.upload(bias), out, pixels);
  const auto want = [&](size_t i) {
    double sum = bias[i / pixels];
    for (int k = 0; k < inner; ++k)
      sum += double(float(weight[i / pixels * inner + k])) * float(image[k * pixels + i % pixels]);
    return sum;
  };
  zoo.expect_each("df_mix_channels", out, channels * pixels, 97, want, 5e-3);
}

static void convolve_rows(Zoo& zoo) {
  const int height = 96, channels = 12, rows = 12;
  const auto in = random_floats(size_t(channels) * height * line, 8, -1, 1);
  const auto kernel = random_floats(channels * 9, 9, -1, 1);
  float* out = zoo.zeros<float>(in.size());
  df_convolve_rows<<<dim3(height / rows, channels), line>>>(zoo.upload(in), zoo.upload(kernel), out, height,
                                                            rows);
  const auto want = [&](size_t i) {
    const int x = int(i % line), y = int(i / line % height), c = int(i / line / height);
    double sum = 0;
    for (int k = 0; k < 9; ++k) {
      const int u = std::min(std::max(x + k % 3 - 1, 0), line - 1),
                v = std::min(std::max(y + k / 3 - 1, 0), height - 1);
      sum += double(kernel[c * 9 + k]) * in[(size_t(c) * height + v) * line + u];
    }
    return sum;
  };
  zoo.expect_each("df_convolve_rows", out, in.size(), 43, want, 1e-4);
}

static void attend_words(Zoo& zoo) {
  const int heads = 4, pixels = 2000;
  const auto q = random_halves(heads * pixels * head, 10, -1, 1),
             k = random_halves(heads * words * head, 11, -1, 1),
             v = random_halves(heads * words * head, 12, -1, 2);
  float* out = zoo.zeros<float>(q.size());
  df_attend_words<<<dim3((pixels + 127) / 128, heads), 128>>>(
      (const __half2*)zoo.upload(q), (const __half2*)zoo.upload(k), (const __half2*)zoo.upload(v),
      (float2*)out, pixels);
  const auto want = [&](size_t i) {
    const size_t h = i / head / pixels;
    double total = 0, sum = 0;
    for (int j = 0; j < words; ++j) {
      double s = 0;
      for (int d = 0; d < head; ++d)
        s += double(float(q[i / head * head + d])) * float(k[(h * words + j) * head + d]);
      total += exp(s * 0.17677669);
      sum += exp(s * 0.17677669) * float(v[(h * words + j) * head + i % head]);
    }
    return sum / total;
  };
  zoo.expect_each("df_attend_words", out, q.size(), 211, want, 3e-3);
}

static void step_sampler(Zoo& zoo) {
  const int n = 90000;
  const auto x = random_floats(4 * n, 13), a = random_floats(4 * n, 14), b = random_floats(4 * n, 15);
  float* out = zoo.zeros<float>(4 * n);
  df_step_sampler<<<198, 256>>>((const float4*)zoo.upload(x), (const float4*)zoo.upload(a),
                                (const float4*)zoo.upload(b), (float4*)out, n, 7.5f, 0.9f, 0.1f);
  const auto want = [&](size_t i) {
    const uint4 r = philox(unsigned(i / 4), 2024);
    const double u = i % 4 < 2 ? r.x : r.z, angle = 2 * M_PI / 4294967296.0 * (i % 4 < 2 ? r.y : r.w);
    const double z = sqrt(-2 * log((u + 0.5) / 4294967296.0)) * (i % 2 ? cos(angle) : sin(angle));
    return 0.9 * (x[i] - b[i] - 7.5 * (a[i] - b[i])) + 0.1 * z;
  };
  zoo.expect_each("df_step_sampler", out, 4 * n, 17, want, 1e-3);
}

static void shuffle_pixels(Zoo& zoo) {
  const int side = 100, channels = 16, n = channels * 4 * side * side;
  const auto in = random_halves(n, 16, -1, 1);
  const half* from = zoo.upload(in);
  half *large = zoo.zeros<half>(n), *back = zoo.zeros<half>(n);
  const dim3 block(32, 8), grid((2 * side + 31) / 32, (2 * side + 7) / 8, channels);
  df_shuffle_pixels<true><<<grid, block>>>(from, large, side);
  df_shuffle_pixels<false><<<grid, block>>>(large, back, side);
  zoo.expect_each(
      "df_shuffle_pixels", back, n, 1, [&](size_t i) { return float(in[i]); }, 1e-12);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("df_embed_time")) embed_time(zoo);
  if (zoo.runs("df_mix_channels")) mix_channels(zoo);
  if (zoo.runs("df_convolve_rows")) convolve_rows(zoo);
  if (zoo.runs("df_attend_words")) attend_words(zoo);
  if (zoo.runs("df_step_sampler")) step_sampler(zoo);
  if (zoo.runs("df_shuffle_pixels")) shuffle_pixels(zoo);
  return zoo.done();
}
