// Layers and steps of a neural network: bfloat16 weights, embeddings, an optimiser, a normalisation in
// halves.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "zoo.cuh"

// A warp per row of a matrix of bfloat16; sums in single precision.
__global__ void nn_bf16_matvec(const __nv_bfloat162* weight, const __nv_bfloat162* x, float* y, int pairs,
                               int rows) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  float sum = 0;
  for (int k = threadIdx.x; k < pairs; k += 32) {
    const float2 w = __bfloat1622float2(weight[(size_t)row * pairs + k]), v = __bfloat1622float2(x[k]);
    sum += w.x * v.x + w.y * v.y;
  }
  for (int half = 16; half > 0; half /= 2) sum += __shfl_down_sync(0xffffffffu, sum, half);
  if (threadIdx.x == 0) y[row] = sum / (1 + fabsf(sum));
}

// The mean of some rows of a table of 64 columns; a warp per bag, two columns per lane.
__global__ void nn_embedding_bag(const float2* table, const int* start, const int* id, float2* out,
                                 int bags) {
  const int bag = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (bag >= bags) return;
  const int from = start[bag], to = start[bag + 1];
  float2 sum = make_float2(0, 0);
  for (int k = from; k < to; ++k) {
    const float2 v = table[(size_t)id[k] * 32 + lane];
    sum.x += v.x;
    sum.y += v.y;
  }
  const float scale = 1.0f / max(to - from, 1);
  out[bag * 32 + lane] = make_float2(sum.x * scale, sum.y * scale);
}

// One step of Adam: four streams in, three out.
__global__ void nn_adam_step(const float* weight, const float* gradient, const float* mean,
                             const float* square, float rate, float* weight_next, float* mean_next,
                             float* square_next, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float g = gradient[i], m = 0.9f * mean[i] + 0.1f * g, v = 0.999f * square[i] + 0.001f * g * g;
  mean_next[i] = m;
  square_next[i] = v;
  weight_next[i] = weight[i] - rate * m / (sqrtf(v) + 1e-8f);
}

// Root-mean-square normalisation of x + residual; a block per row of halves.
__global__ void nn_rms_norm_half(const __half2* x, const __half2* residual, const __half2* gain, __half2* out,
                                 int pairs) {
  __shared__ float part[4];
  const __half2 *a = x + blockIdx.x * pairs, *b = residual + blockIdx.x * pairs;
  float sum = 0;
  for (int k = threadIdx.x; k < pairs; k += 128) {
    const float2 v = __half22float2(__hadd2(a[k], b[k]));
    sum += v.x * v.x + v.y * v.y;
  }
  for (int other = 16; other > 0; other /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, other);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  const float scale = rsqrtf((part[0] + part[1] + part[2] + part[3]) / (2 * pairs) + 1e-5f);
  const __half2 s = __float2half2_rn(scale);
  for (int k = threadIdx.x; k < pairs; k += 128)
    out[blockIdx.x * pairs + k] = __hmul2(__hmul2(__hadd2(a[k], b[k]), s), gain[k]);
}

std::vector<__half2> halves(size_t pairs, unsigned seed) {
  std::vector<__half2> v(pairs);
  Random r{seed};
  for (auto& h : v) {
    const float a = r.unit() - 0.5f;
    h = __floats2half2_rn(a, r.unit());
  }
  return v;
}

std::vector<__nv_bfloat162> brain_floats(size_t pairs, unsigned seed) {
  std::vector<__nv_bfloat162> v(pairs);
  Random r{seed};
  for (auto& b : v) {
    const float a = r.unit() - 0.5f;
    b = __floats2bfloat162_rn(a, r.unit() - 0.5f);
  }
  return v;
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("nn_bf16_matvec")) {
    const int rows = 700, pairs = 320;
    float* y = zoo.zeros<float>(rows);
    nn_bf16_matvec<<<(rows + 3) / 4, dim3(32, 4)>>>(zoo.upload(brain_floats(rows * pairs, 1)),
                                                    zoo.upload(brain_floats(pairs, 2)), y, pairs, rows);
    zoo.show("nn_bf16_matvec", y, rows);
  }
  if (zoo.runs("nn_embedding_bag")) {
    const int words = 12000, bags = 1500;
    std::vector<int> start(bags + 1);
    Random r{3};
    for (int b = 0; b < bags; ++b) start[b + 1] = start[b] + 2 + int(r.below(15));
    float2* out = zoo.zeros<float2>(bags * 32);
    nn_embedding_bag<<<(bags + 3) / 4, 128>>>((const float2*)zoo.upload(random_floats(words * 64, 4)),
                                              zoo.upload(start),
                                              zoo.upload(random_ints(start[bags], 5, words)), out, bags);
    zoo.show("nn_embedding_bag", (const float*)out, bags * 64);
  }
  if (zoo.runs("nn_adam_step")) {
    const int n = 700000;
    float *weight = zoo.zeros<float>(n), *mean = zoo.zeros<float>(n), *square = zoo.zeros<float>(n);
    nn_adam_step<<<(n + 255) / 256, 256>>>(zoo.upload(random_floats(n, 6, -1, 1)),
                                           zoo.upload(random_floats(n, 7, -1, 1)),
                                           zoo.upload(random_floats(n, 8, -1, 1)),
                                           zoo.upload(random_floats(n, 9)), 0.01f, weight, mean, square, n);
    zoo.show("nn_adam_step", square, n);
  }
  if (zoo.runs("nn_rms_norm_half")) {
    const int rows = 300, pairs = 400;
    __half2* out = zoo.zeros<__half2>(rows * pairs);
    nn_rms_norm_half<<<rows, 128>>>(zoo.upload(halves(rows * pairs, 10)),
                                    zoo.upload(halves(rows * pairs, 11)), zoo.upload(halves(pairs, 12)), out,
                                    pairs);
    std::vector<float> wide;
    for (const __half2& h : zoo.download(out, rows * pairs)) {
      wide.push_back(__half2float(h.x));
      wide.push_back(__half2float(h.y));
    }
    zoo.show("nn_rms_norm_half", zoo.upload(wide), wide.size());
  }
  return zoo.done();
}
