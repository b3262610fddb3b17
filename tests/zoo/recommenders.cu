// What a shop shows next: factors learnt from ratings, the best of each row, distances of compressed vectors,
// and a small network in half precision.
#include <cuda_fp16.h>

#include <algorithm>
#include <functional>

#include "zoo.cuh"

struct Rating {
  int user, item;
  float stars;
};

constexpr int kRank = 32;

// Gradients of a matrix factorisation: 16 lanes per rating, two factors per lane, added to both rows by
// atomics.
__global__ void rc_factor_gradients(const Rating* __restrict__ ratings, const float2* __restrict__ users,
                                    const float2* __restrict__ items, float2* user_gradient,
                                    float2* item_gradient, float* loss, float decay, int n) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 16, lane = threadIdx.x % 16;
  const bool own = i < n;
  const Rating r = ratings[own ? i : 0];
  const float2 u = users[r.user * (kRank / 2) + lane], v = items[r.item * (kRank / 2) + lane];
  float dot = u.x * v.x + u.y * v.y;
#pragma unroll
  for (int d = 8; d > 0; d /= 2) dot += __shfl_xor_sync(0xffffffffu, dot, d, 16);
  if (!own) return;
  const float error = r.stars - dot;
  float* to_user = &user_gradient[r.user * (kRank / 2) + lane].x;
  float* to_item = &item_gradient[r.item * (kRank / 2) + lane].x;
  atomicAdd(to_user, error * v.x - decay * u.x);
  atomicAdd(to_user + 1, error * v.y - decay * u.y);
  atomicAdd(to_item, error * u.x - decay * v.x);
  atomicAdd(to_item + 1, error * u.y - decay * v.y);
  if (lane == 0) loss[i] = error * error;
}

__device__ unsigned OrderedBits(float x) {
  const unsigned b = __float_as_uint(x);
  return b & 0x80000000u ? ~b : b | 0x80000000u;
}

// The k largest of each row by radix select: a histogram of eight bits narrows the k-th down, four times.
__global__ void rc_select_top(const float* scores, float* threshold, int* chosen, int columns, int k) {
  __shared__ unsigned bins[256];
  __shared__ unsigned prefix, wanted, above;
  const float* row = scores + size_t(blockIdx.x) * columns;
  if (threadIdx.x == 0) prefix = 0, wanted = k, above = 0;
  for (int shift = 24; shift >= 0; shift -= 8) {
    bins[threadIdx.x] = 0;
    __syncthreads();
    const unsigned known = prefix;
    for (int i = threadIdx.x; i < columns; i += 256) {
      const unsigned key = OrderedBits(row[i]);
      if (shift == 24 || key >> (shift + 8) == known) atomicAdd(&bins[key >> shift & 255], 1u);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      int bin = 255;
      unsigned left = wanted;
      while (bins[bin] < left) left -= bins[bin--];
      wanted = left;
      prefix = known << 8 | bin;
    }
    __syncthreads();
  }
  const unsigned limit = prefix;
  for (int i = threadIdx.x; i < columns; i += 256) {
    const float x = row[i];
    const unsigned key = OrderedBits(x);
    if (key >= limit) {
      const unsigned at = atomicAdd(&above, 1u);
      if (at < unsigned(k)) chosen[blockIdx.x * k + at] = i;
      if (key == limit) threshold[blockIdx.x] = x;
    }
  }
}

// Product quantisation: 16 codes per vector, each looked up in a table of the query's distances to 256
// centres.
__global__ void rc_code_distances(const uint4* codes, const float* tables, float* distance, int n) {
  __shared__ float table[16 * 256];
  for (int i = threadIdx.x; i < 16 * 256; i += blockDim.x) table[i] = tables[i];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const uint4 c = codes[i];
    const unsigned word[4] = {c.x, c.y, c.z, c.w};
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 16; ++k) sum += table[256 * k + (word[k / 4] >> 8 * (k % 4) & 255)];
    distance[i] = sum;
  }
}

constexpr int kInputs = 24, kHidden = 28;
__constant__ __half2 hidden_weight[kHidden][kInputs], hidden_bias[kHidden], out_weight[kHidden];

// Two candidates per thread, one in each half: a hidden layer, and a chance from its sum.
__global__ void rc_rank_pairs(const __half2* features, float2* chance, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  __half2 x[kInputs];
#pragma unroll
  for (int k = 0; k < kInputs; ++k) x[k] = features[k * pairs + i];
  __half2 sum = __float2half2_rn(0);
#pragma unroll 4
  for (int h = 0; h < kHidden; ++h) {
    __half2 v = hidden_bias[h];
#pragma unroll
    for (int k = 0; k < kInputs; ++k) v = __hfma2(hidden_weight[h][k], x[k], v);
    sum = __hfma2(out_weight[h], __hmax2(v, __float2half2_rn(0)), sum);
  }
  const float2 s = __half22float2(sum);
  chance[i] = make_float2(1 / (1 + __expf(-s.x)), 1 / (1 + __expf(-s.y)));
}

namespace {

void FactorGradients(Zoo& zoo) {
  const int n = 45000, users = 5000, items = 2500;
  const auto u = random_floats(users * kRank, 1, -0.5f, 0.5f),
             v = random_floats(items * kRank, 2, -0.5f, 0.5f);
  std::vector<Rating> ratings(n);
  Random r{3};
  for (auto& x : ratings) {
    const float popular = r.unit();
    x = {int(r.below(users)), int(popular * popular * items), 1 + float(r.below(5))};
  }
  std::vector<float> wanted(items * kRank);
  for (const auto& x : ratings) {
    float dot = 0;
    for (int k = 0; k < kRank; ++k) dot += u[x.user * kRank + k] * v[x.item * kRank + k];
    for (int k = 0; k < kRank; ++k)
      wanted[x.item * kRank + k] += (x.stars - dot) * u[x.user * kRank + k] - 0.05f * v[x.item * kRank + k];
  }
  auto* user_gradient = zoo.zeros<float>(users * kRank);
  auto* item_gradient = zoo.zeros<float>(items * kRank);
  rc_factor_gradients<<<(16 * n + 255) / 256, 256>>>(zoo.upload(ratings), (const float2*)zoo.upload(u),
                                                     (const float2*)zoo.upload(v), (float2*)user_gradient,
                                                     (float2*)item_gradient, zoo.zeros<float>(n), 0.05f, n);
  zoo.expect_each(
      "rc_factor_gradients", item_gradient, items * kRank, 3, [&](size_t i) { return wanted[i]; }, 2e-3);
}

void SelectTop(Zoo& zoo) {
  const int rows = 90, columns = 9000, k = 64;
  const auto scores = random_floats(size_t(rows) * columns, 4, -8, 8);
  auto* threshold = zoo.zeros<float>(rows);
  auto* chosen = zoo.zeros<int>(rows * k);
  rc_select_top<<<rows, 256>>>(zoo.upload(scores), threshold, chosen, columns, k);
  std::vector<float> kth(rows);
  int wrong = 0;
  const auto got = zoo.download(chosen, rows * k);
  for (int r = 0; r < rows; ++r) {
    std::vector<float> row(scores.begin() + r * columns, scores.begin() + (r + 1) * columns);
    std::nth_element(row.begin(), row.begin() + k - 1, row.end(), std::greater<float>());
    kth[r] = row[k - 1];
    for (int i = 0; i < k; ++i) wrong += scores[r * columns + got[r * k + i]] < kth[r];
  }
  zoo.expect_each(
      "rc_select_top", threshold, rows, 1, [&](size_t i) { return kth[i]; }, 1e-7);
  zoo.require("rc_select_top", wrong == 0, "those chosen are not below the k-th largest");
}

void RankPairs(Zoo& zoo) {
  const int pairs = 50000;
  const auto weight = random_floats(kHidden * (kInputs + 2), 6, -0.5f, 0.5f),
             data = random_floats(2 * kInputs * pairs, 7);
  std::vector<__half2> packed(weight.size()), features(kInputs * pairs);
  for (size_t i = 0; i < weight.size(); ++i) packed[i] = __float2half2_rn(weight[i]);
  for (size_t i = 0; i < features.size(); ++i) features[i] = __floats2half2_rn(data[2 * i], data[2 * i + 1]);
  zoo.ok(cudaMemcpyToSymbol(hidden_weight, packed.data(), sizeof hidden_weight));
  zoo.ok(cudaMemcpyToSymbol(hidden_bias, packed.data() + kHidden * kInputs, sizeof hidden_bias));
  zoo.ok(cudaMemcpyToSymbol(out_weight, packed.data() + kHidden * (kInputs + 1), sizeof out_weight));
  auto* chance = zoo.zeros<float2>(pairs);
  rc_rank_pairs<<<(pairs + 127) / 128, 128>>>(zoo.upload(features), chance, pairs);
  const auto want = [&](size_t i) {
    double sum = 0;
    for (int h = 0; h < kHidden; ++h) {
      double v = weight[kHidden * kInputs + h];
      for (int k = 0; k < kInputs; ++k) v += weight[h * kInputs + k] * data[2 * (k * pairs + i / 2) + i % 2];
      sum += weight[kHidden * (kInputs + 1) + h] * std::max(v, 0.0);
    }
    return 1 / (1 + exp(-sum));
  };
  zoo.expect_each("rc_rank_pairs", (const float*)chance, 2 * pairs, 91, want, 1e-2);
}

}  // namespace

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("rc_factor_gradients")) FactorGradients(zoo);
  if (zoo.runs("rc_select_top")) SelectTop(zoo);
  if (zoo.runs("rc_code_distances")) {
    const int n = 160000;
    const auto codes = random_words(4 * n, 5);
    const auto tables = random_floats(16 * 256, 8);
    auto* distance = zoo.zeros<float>(n);
    rc_code_distances<<<132, 512>>>((const uint4*)zoo.upload(codes), zoo.upload(tables), distance, n);
    const auto want = [&](size_t i) {
      double sum = 0;
      for (int k = 0; k < 16; ++k) sum += tables[256 * k + (codes[4 * i + k / 4] >> 8 * (k % 4) & 255)];
      return sum;
    };
    zoo.expect_each("rc_code_distances", distance, n, 57, want, 1e-4);
  }
  if (zoo.runs("rc_rank_pairs")) RankPairs(zoo);
  return zoo.done();
}
