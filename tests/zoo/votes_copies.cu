// Votes of warps, and copies: asynchronous into shared memory, and wide.
#include <cuda_pipeline.h>

#include "zoo.cuh"

// Keeps the positive values of each block, in order.
__global__ void wv_ballot_compact(const int* in, int* out, int* kept) {
  __shared__ int first[8];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32, v = in[blockIdx.x * 256 + t];
  const unsigned mask = __ballot_sync(0xffffffffu, v > 0);
  if (lane == 0) first[warp] = __popc(mask);
  __syncthreads();
  int base = 0;
  for (int w = 0; w < warp; ++w) base += first[w];
  if (v > 0) out[blockIdx.x * 256 + base + __popc(mask & ((1u << lane) - 1))] = v;
  if (t == 255) kept[blockIdx.x] = base + __popc(mask);
}

// A filter that whole warps leave early.
__global__ void wv_any_all(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? in[i] : 0;
  int rounds = 0;
  while (__any_sync(0xffffffffu, v > 0.5f)) {
    v = v > 0.5f ? v * 0.9f - 0.01f : v;
    ++rounds;
    if (__all_sync(0xffffffffu, v < 0.7f)) v *= 0.95f;
  }
  if (i < n) out[i] = v + rounds;
}

// Sums per key inside of a warp before the atomic addition.
__global__ void wv_match_groups(const int* key, const int* value, int* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const int k = i < n ? key[i] : -1, v = i < n ? value[i] : 0;
  const unsigned peers = __match_any_sync(0xffffffffu, k);
  int sum = 0;
  for (unsigned left = peers; __any_sync(0xffffffffu, left); left &= left - 1) {
    const int from = left ? __ffs(left) - 1 : lane;
    const int other = __shfl_sync(0xffffffffu, v, from);
    if (left) sum += other;
  }
  if (k >= 0 && lane == __ffs(peers) - 1) atomicAdd(&sums[k], sum);
}

// Asynchronous copies in three stages; each thread also reads what its neighbour copied.
__global__ void cp_async_stages(const float4* in, float* out, int rounds) {
  __shared__ float4 stage[3][128];
  const float4* mine = in + blockIdx.x * rounds * 128;
  const int t = threadIdx.x;
  float sum = 0;
  for (int r = 0; r < 2; ++r) {
    if (r < rounds) __pipeline_memcpy_async(&stage[r][t], &mine[r * 128 + t], sizeof(float4));
    __pipeline_commit();
  }
  for (int r = 0; r < rounds; ++r) {
    if (r + 2 < rounds)
      __pipeline_memcpy_async(&stage[(r + 2) % 3][t], &mine[(r + 2) * 128 + t], sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(2);
    __syncthreads();
    const float4 a = stage[r % 3][t], b = stage[r % 3][t ^ 1];
    sum += a.x * b.y + a.z * b.w;
    __syncthreads();
  }
  out[blockIdx.x * 128 + t] = sum;
}

__global__ void cp_float4(const float4* in, float4* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float4 v = in[i];
    out[i] = make_float4(v.w, v.z, v.y, v.x);
  }
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("wv_ballot_compact")) {
    auto in = random_ints(500 * 256, 1, 100);
    for (int& v : in) v -= 60;
    int* kept = zoo.zeros<int>(500);
    wv_ballot_compact<<<500, 256>>>(zoo.upload(in), zoo.zeros<int>(500 * 256), kept);
    double positive = 0;
    for (int v : in) positive += v > 0;
    zoo.expect("wv_ballot_compact", kept, 500, positive);
  }
  if (zoo.runs("wv_any_all")) {
    const int n = 60000;
    float* out = zoo.zeros<float>(n);
    wv_any_all<<<(n + 127) / 128, 128>>>(zoo.upload(random_floats(n, 2, 0, 3)), out, n);
    zoo.show("wv_any_all", out, n);
  }
  if (zoo.runs("wv_match_groups")) {
    const int n = 40000;
    const auto value = random_ints(n, 4, 100);
    double all = 0;
    for (int v : value) all += v;
    int* sums = zoo.zeros<int>(50);
    wv_match_groups<<<(n + 255) / 256, 256>>>(zoo.upload(random_ints(n, 3, 50)), zoo.upload(value), sums, n);
    zoo.expect("wv_match_groups", sums, 50, all);
  }
  if (zoo.runs("cp_async_stages")) {
    const int rounds = 12;
    float* out = zoo.zeros<float>(132 * 128);
    cp_async_stages<<<132, 128>>>((const float4*)zoo.upload(random_floats(132 * rounds * 512, 5)), out,
                                  rounds);
    zoo.show("cp_async_stages", out, 132 * 128);
  }
  if (zoo.runs("cp_float4")) {
    const int n = 150000;
    float4* out = zoo.zeros<float4>(n);
    cp_float4<<<264, 256>>>((const float4*)zoo.upload(random_floats(4 * n, 6)), out, n);
    zoo.show("cp_float4", (const float*)out, 4 * n);
  }
  return zoo.done();
}
