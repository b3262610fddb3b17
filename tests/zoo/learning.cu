// Machine learning outside of language models: clusters, a forest of trees, and layers of a vision network.
#include <cuda_fp16.h>
#include <mma.h>

#include "zoo.cuh"

// A step of k-means: the nearest of 24 centres, and the sums of the points that each centre gets.
__global__ void ml_assign_clusters(const float* point, const float* centre, int* cluster, float* sum,
                                   int* count, int n) {
  __shared__ float middle[24 * 6], block_sum[24 * 6];
  __shared__ int block_count[24];
  for (int i = threadIdx.x; i < 24 * 6; i += blockDim.x) middle[i] = centre[i], block_sum[i] = 0;
  if (threadIdx.x < 24) block_count[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float p[6], best2 = 1e9f;
#pragma unroll
    for (int k = 0; k < 6; ++k) p[k] = point[k * n + i];
    int best = 0;
    for (int c = 0; c < 24; ++c) {
      float d2 = 0;
#pragma unroll
      for (int k = 0; k < 6; ++k) d2 += (p[k] - middle[6 * c + k]) * (p[k] - middle[6 * c + k]);
      if (d2 < best2) best2 = d2, best = c;
    }
    cluster[i] = best;
    atomicAdd(&block_count[best], 1);
#pragma unroll
    for (int k = 0; k < 6; ++k) atomicAdd(&block_sum[6 * best + k], p[k]);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 24 * 6; k += blockDim.x) atomicAdd(&sum[k], block_sum[k]);
  if (threadIdx.x < 24) atomicAdd(&count[threadIdx.x], block_count[threadIdx.x]);
}

struct Split {
  float threshold;
  int feature;
};

// A forest: each tree is a heap of depth seven whose leaves vote for one of three classes.
__host__ __device__ int forest_vote(const float* sample, const Split* split, const unsigned char* leaf,
                                    int trees) {
  int a = 0, b = 0;
  for (int t = 0; t < trees; ++t) {
    int k = 0;
    for (int depth = 0; depth < 7; ++depth) {
      const Split s = split[t * 127 + k];
      k = 2 * k + 1 + (sample[s.feature] > s.threshold);
    }
    const int vote = leaf[t * 128 + k - 127];
    a += vote == 0;
    b += vote == 1;
  }
  const int c = trees - a - b;
  return a >= b && a >= c ? 0 : b >= c ? 1 : 2;
}

__global__ void ml_ask_forest(const float* sample, int features, const Split* split,
                              const unsigned char* leaf, int trees, int* answer, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) answer[i] = forest_vote(sample + i * features, split, leaf, trees);
}

// A depthwise 3 x 3 layer, channels innermost and in pairs, then an activation.
__global__ void ml_depthwise_layer(const __half2* in, const __half2* weight, const __half2* bias,
                                   __half2* out, int side, int pairs) {
  const int pair = threadIdx.x, x = blockIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y >= side) return;
  __half2 sum = bias[pair];
#pragma unroll
  for (int v = -1; v <= 1; ++v)
#pragma unroll
    for (int u = -1; u <= 1; ++u) {
      const int px = x + u, py = y + v;
      if (px < 0 || py < 0 || px >= side || py >= side) continue;
      sum = __hfma2(in[(py * side + px) * pairs + pair], weight[(3 * v + u + 4) * pairs + pair], sum);
    }
  const __half2 zero = __float2half2_rn(0), six = __float2half2_rn(6);
  out[(y * side + x) * pairs + pair] = __hmin2(__hmax2(sum, zero), six);
}

// G = A * A' by tensor cores: a warp has a tile of 16 x 32, and reads global memory without staging.
__global__ void ml_gram_matrix(const __half* a, float* g, int rows, int columns) {
  namespace wmma = nvcuda::wmma;
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, across = rows / 32;
  if (warp >= rows / 16 * across) return;
  const int row = warp / across * 16, column = warp % across * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2];
  wmma::fill_fragment(sum[0], 0.0f);
  wmma::fill_fragment(sum[1], 0.0f);
  for (int k = 0; k < columns; k += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
    wmma::load_matrix_sync(left, a + row * columns + k, columns);
#pragma unroll
    for (int j = 0; j < 2; ++j) {
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> right;
      wmma::load_matrix_sync(right, a + (column + 16 * j) * columns + k, columns);
      wmma::mma_sync(sum[j], left, right, sum[j]);
    }
  }
  wmma::store_matrix_sync(g + row * rows + column, sum[0], rows, wmma::mem_row_major);
  wmma::store_matrix_sync(g + row * rows + column + 16, sum[1], rows, wmma::mem_row_major);
}

static std::vector<__half> random_halves(size_t n, unsigned seed, float low, float high) {
  std::vector<__half> v(n);
  Random r{seed};
  for (__half& x : v) x = __float2half(low + (high - low) * r.unit());
  return v;
}

static void assign_clusters(Zoo& zoo) {
  const int n = 61000;
  const auto point = random_floats(6 * n, 1), centre = random_floats(24 * 6, 2);
  int *cluster = zoo.zeros<int>(n), *count = zoo.zeros<int>(24);
  float* sum = zoo.zeros<float>(24 * 6);
  ml_assign_clusters<<<(n + 255) / 256, 256>>>(zoo.upload(point), zoo.upload(centre), cluster, sum, count, n);
  const auto want = [&](size_t i) {
    float best2 = 1e9f;
    int best = 0;
    for (int c = 0; c < 24; ++c) {
      float d2 = 0;
      for (int k = 0; k < 6; ++k)
        d2 += (point[k * n + i] - centre[6 * c + k]) * (point[k * n + i] - centre[6 * c + k]);
      if (d2 < best2) best2 = d2, best = c;
    }
    return double(best);
  };
  zoo.expect_each("ml_assign_clusters", cluster, n, 211, want, 1e-9);
  std::vector<double> first(24), members(24);
  const auto got = zoo.download(cluster, n), counted = zoo.download(count, 24);
  const auto sums = zoo.download(sum, 24 * 6);
  for (int i = 0; i < n; ++i) first[got[i]] += point[i], ++members[got[i]];
  bool right = true;
  for (int c = 0; c < 24; ++c)
    right = right && counted[c] == members[c] && fabs(sums[6 * c] - first[c]) <= 1e-3 * first[c];
  zoo.require("ml_assign_clusters", right, "each centre gets the sum of its points");
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("ml_assign_clusters")) assign_clusters(zoo);
  if (zoo.runs("ml_ask_forest")) {
    const int n = 16500, features = 12, trees = 30;
    const auto sample = random_floats(n * features, 3);
    std::vector<Split> split(trees * 127);
    std::vector<unsigned char> leaf(trees * 128);
    Random r{4};
    for (Split& s : split) s = {0.2f + 0.6f * r.unit(), int(r.below(features))};
    for (auto& l : leaf) l = (unsigned char)r.below(3);
    int* answer = zoo.zeros<int>(n);
    ml_ask_forest<<<(n + 127) / 128, 128>>>(zoo.upload(sample), features, zoo.upload(split), zoo.upload(leaf),
                                            trees, answer, n);
    const auto want = [&](size_t i) {
      return double(forest_vote(&sample[i * features], split.data(), leaf.data(), trees));
    };
    zoo.expect_each("ml_ask_forest", answer, n, 23, want, 1e-9);
  }
  if (zoo.runs("ml_depthwise_layer")) {
    const int side = 84, pairs = 64, n = side * side * pairs * 2;
    const auto in = random_halves(n, 5, 0, 1), weight = random_halves(18 * pairs, 6, -1, 1),
               bias = random_halves(2 * pairs, 7, 0, 1);
    auto* out = zoo.zeros<__half>(n);
    ml_depthwise_layer<<<dim3(side, (side + 3) / 4), dim3(pairs, 4)>>>(
        (const __half2*)zoo.upload(in), (const __half2*)zoo.upload(weight), (const __half2*)zoo.upload(bias),
        (__half2*)out, side, pairs);
    const auto got = zoo.download(out, n);
    std::vector<float> value(n);
    for (int i = 0; i < n; ++i) value[i] = __half2float(got[i]);
    const auto want = [&](size_t i) {
      const int channel = int(i) % (2 * pairs), x = int(i) / (2 * pairs) % side,
                y = int(i) / (2 * pairs) / side;
      float sum = __half2float(bias[channel]);
      for (int v = -1; v <= 1; ++v)
        for (int u = -1; u <= 1; ++u)
          if (x + u >= 0 && x + u < side && y + v >= 0 && y + v < side)
            sum += __half2float(in[((y + v) * side + x + u) * 2 * pairs + channel]) *
                   __half2float(weight[(3 * v + u + 4) * 2 * pairs + channel]);
      return fminf(fmaxf(sum, 0.0f), 6.0f);
    };
    zoo.expect_each("ml_depthwise_layer", zoo.upload(value), n, 1009, want, 1e-2);
  }
  if (zoo.runs("ml_gram_matrix")) {
    const int rows = 288, columns = 400;
    const auto a = random_halves(rows * columns, 8, 0, 1);
    float* g = zoo.zeros<float>(rows * rows);
    const int warps = rows / 16 * (rows / 32);
    ml_gram_matrix<<<(warps + 3) / 4, 128>>>(zoo.upload(a), g, rows, columns);
    const auto want = [&](size_t i) {
      double sum = 0;
      for (int k = 0; k < columns; ++k)
        sum += __half2float(a[i / rows * columns + k]) * __half2float(a[i % rows * columns + k]);
      return sum;
    };
    zoo.expect_each("ml_gram_matrix", g, rows * rows, 409, want, 1e-4);
  }
  return zoo.done();
}
