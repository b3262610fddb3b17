// Ways to keep the memory busy while floats are added up, beside cub::DeviceReduce: which shape, which share of the input,
// which kind of load. The best one is reduce/open. Build and run on a real GPU:
//   nvcc -O3 -std=c++17 -arch=sm_90 reduce.cu -o reduce && ./reduce
// Every version runs in one graph over buffers that together are far larger than the L2; medians of 40 replays.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <functional>
#include <string>
#include <vector>

#define MUST(call)                                                                 \
  do {                                                                             \
    const cudaError_t failed = (call);                                             \
    if (failed) printf("%s: %s\n", #call, cudaGetErrorString(failed)), exit(1);    \
  } while (0)

__device__ float partials[8192];
__device__ unsigned done;
__device__ unsigned taken;  // tickets handed out; 0 between launches

__device__ float warp_sum(float v) {
  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffff, v, o);
  return v;
}
template <int T> __device__ float block_sum(float v) {
  __shared__ float s[T / 32];
  v = warp_sum(v);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  return warp_sum(threadIdx.x % 32 < T / 32 ? s[threadIdx.x % 32] : 0.0f);
}
template <int T> __device__ void finish(float value, float* sum) {
  value = block_sum<T>(value);
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = value;
    __threadfence();
    last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!last) return;
  if (threadIdx.x == 0) taken = 0;
  value = 0;
  for (int i = threadIdx.x; i < gridDim.x; i += T) value += __ldcg(&partials[i]);
  value = block_sum<T>(value);
  if (threadIdx.x == 0) *sum = value;
}
template <int L> __device__ float sum_of(const float4 (&v)[L]) {
  float s = 0;
#pragma unroll
  for (int k = 0; k < L; ++k) s += (v[k].x + v[k].y) + (v[k].z + v[k].w);
  return s;
}

/// Rounds dealt to all blocks in turn; the next round is asked for before the last is added (`ahead`).
template <int T, int B, int L, bool ahead> __global__ void __launch_bounds__(T, B) turns(const float4* in, float* sum, int n4) {
  float value = 0;
  float4 now[L], next[L];
  auto fetch = [&](float4(&v)[L], int first) {
    if (first + L * T <= n4) {
#pragma unroll
      for (int k = 0; k < L; ++k) v[k] = __ldcs(&in[first + k * T + threadIdx.x]);
    } else {
#pragma unroll
      for (int k = 0; k < L; ++k) {
        v[k] = make_float4(0, 0, 0, 0);
        if (first + k * T + threadIdx.x < n4) v[k] = __ldcs(&in[first + k * T + threadIdx.x]);
      }
    }
  };
  const int round = gridDim.x * T * L;
  int at = blockIdx.x * T * L;
  if constexpr (ahead) {
    fetch(now, at);
    for (at += round; at < n4; at += round) {
      fetch(next, at);
      value += sum_of(now);
#pragma unroll
      for (int k = 0; k < L; ++k) now[k] = next[k];
    }
    value += sum_of(now);
  } else {
    for (; at < n4; at += round) {
      fetch(now, at);
      value += sum_of(now);
    }
  }
  finish<T>(value, sum);
}

/// The same rounds, but as many of them as all blocks can share evenly; what is left is cut into equal pieces.
template <int T, int B, int L> __global__ void __launch_bounds__(T, B) even(const float4* in, float* sum, int n4) {
  float value = 0;
  const int round = gridDim.x * T * L, whole = n4 / round * round;
  float4 now[L], next[L];
  auto fetch = [&](float4(&v)[L], int first) {
#pragma unroll
    for (int k = 0; k < L; ++k) v[k] = __ldcs(&in[first + k * T + threadIdx.x]);
  };
  int at = blockIdx.x * T * L;
  if (at < whole) {
    fetch(now, at);
    for (at += round; at < whole; at += round) {
      fetch(next, at);
      value += sum_of(now);
#pragma unroll
      for (int k = 0; k < L; ++k) now[k] = next[k];
    }
  } else {
#pragma unroll
    for (int k = 0; k < L; ++k) now[k] = make_float4(0, 0, 0, 0);
  }
  // Less than a round: every thread of the grid takes up to L of it, all asked for at once.
#pragma unroll
  for (int k = 0; k < L; ++k) {
    const int i = whole + k * gridDim.x * T + blockIdx.x * T + threadIdx.x;
    next[k] = make_float4(0, 0, 0, 0);
    if (i < n4) next[k] = __ldcs(&in[i]);
  }
  value += sum_of(now) + sum_of(next);
  finish<T>(value, sum);
}

/// One share in a row for each block, equal to a line of 128 bytes.
template <int T, int B, int L> __global__ void __launch_bounds__(T, B) shares(const float4* in, float* sum, int n4) {
  const int lines = (n4 + 7) / 8;
  const int first = int(int64_t(lines) * blockIdx.x / gridDim.x) * 8;
  const int end = min(n4, int(int64_t(lines) * (blockIdx.x + 1) / gridDim.x) * 8);
  float value = 0;
  float4 now[L], next[L];
  auto fetch = [&](float4(&v)[L], int at) {
    if (at + L * T <= end) {
#pragma unroll
      for (int k = 0; k < L; ++k) v[k] = __ldcs(&in[at + k * T + threadIdx.x]);
    } else {
#pragma unroll
      for (int k = 0; k < L; ++k) {
        v[k] = make_float4(0, 0, 0, 0);
        if (at + k * T + threadIdx.x < end) v[k] = __ldcs(&in[at + k * T + threadIdx.x]);
      }
    }
  };
  fetch(now, first);
  for (int at = first + T * L; at < end; at += T * L) {
    fetch(next, at);
    value += sum_of(now);
#pragma unroll
    for (int k = 0; k < L; ++k) now[k] = next[k];
  }
  value += sum_of(now);
  finish<T>(value, sum);
}

/// Rounds taken by ticket, the next ticket asked for one round ahead: a multiprocessor that is served faster does more.
template <int T, int B, int L> __global__ void __launch_bounds__(T, B) tickets(const float4* in, float* sum, int n4) {
  __shared__ int given[2];
  const int rounds = (n4 + T * L - 1) / (T * L);
  float value = 0;
  float4 now[L], next[L];
  auto fetch = [&](float4(&v)[L], int round) {
    const int first = round * T * L;
    if (first + T * L <= n4) {
#pragma unroll
      for (int k = 0; k < L; ++k) v[k] = __ldcs(&in[first + k * T + threadIdx.x]);
    } else {
#pragma unroll
      for (int k = 0; k < L; ++k) {
        v[k] = make_float4(0, 0, 0, 0);
        if (first + k * T + threadIdx.x < n4) v[k] = __ldcs(&in[first + k * T + threadIdx.x]);
      }
    }
  };
  fetch(now, blockIdx.x);
  int asked = 0;
  if (threadIdx.x == 0) given[0] = gridDim.x + atomicAdd(&taken, 1u);
  __syncthreads();
  for (int turn = 0;; turn ^= 1) {
    const int mine = given[turn];
    if (mine >= rounds) break;
    if (threadIdx.x == 0) asked = gridDim.x + atomicAdd(&taken, 1u);
    fetch(next, mine);
    value += sum_of(now);
    if (threadIdx.x == 0) given[turn ^ 1] = asked;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < L; ++k) now[k] = next[k];
  }
  value += sum_of(now);
  finish<T>(value, sum);
}

__device__ uint32_t shared_address(const void* p) { return uint32_t(__cvta_generic_to_shared(p)); }
__device__ void wait_for(uint64_t* bar, uint32_t phase) {
  uint32_t is_over = 0;
  while (!is_over)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(is_over) : "r"(shared_address(bar)), "r"(phase) : "memory");
}

/// Bulk copies bring tiles of `L * T` float4 into a ring of S in shared memory; rounds are dealt in turn.
template <int T, int B, int L, int S> __global__ void __launch_bounds__(T, B) bulk(const float4* in, float* sum, int n4) {
  extern __shared__ __align__(128) float4 ring[];
  __shared__ __align__(8) uint64_t full[S];
  constexpr int tile = L * T;
  const int tiles = n4 / tile;
  if (threadIdx.x == 0) {
    for (int s = 0; s < S; ++s) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&full[s])));
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  __syncthreads();
  auto ask = [&](int t, int s) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&full[s])), "r"(tile * 16) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(ring + s * tile)), "l"(in + size_t(t) * tile), "r"(tile * 16), "r"(shared_address(&full[s])) : "memory");
  };
  if (threadIdx.x == 0)
    for (int s = 0; s < S; ++s)
      if (blockIdx.x + s * gridDim.x < tiles) ask(blockIdx.x + s * gridDim.x, s);
  float value = 0;
  int s = 0;
  uint32_t phase = 0;
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    wait_for(&full[s], phase);
    float4 v[L];
#pragma unroll
    for (int k = 0; k < L; ++k) v[k] = ring[s * tile + k * T + threadIdx.x];
    value += sum_of(v);
    __syncthreads();
    if (threadIdx.x == 0 && t + S * int(gridDim.x) < tiles) ask(t + S * gridDim.x, s);
    if (++s == S) s = 0, phase ^= 1;
  }
  for (int i = tiles * tile + blockIdx.x * T + threadIdx.x; i < n4; i += gridDim.x * T) {
    float4 v = __ldcs(&in[i]);
    value += (v.x + v.y) + (v.z + v.w);
  }
  finish<T>(value, sum);
}

/// Reads 192 MiB, so that nothing of what comes next is in the L2.
__global__ void empty_l2(const float4* in, float* sum) {
  const float4 v = in[blockIdx.x * 256 + threadIdx.x];
  if (v.x + v.y + v.z + v.w == 12345.0f) *sum = 1;
}

struct Version {
  std::string name;
  std::function<void(const float4*, float*, int, cudaStream_t)> run;
};

int main() {
  int sms = 0;
  MUST(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  cudaDeviceProp p;
  MUST(cudaGetDeviceProperties(&p, 0));
  printf("%s, %d SMs\n", p.name, sms);
  std::vector<Version> all;
  static void* scratch = nullptr;
  MUST(cudaMalloc(&scratch, 1 << 22));
  all.push_back({"cub", [](const float4* in, float* sum, int n4, cudaStream_t s) {
                   size_t need = 1 << 22;
                   MUST(cub::DeviceReduce::Sum(scratch, need, (const float*)in, sum, n4 * 4, s));
                 }});
#define TURNS(T, B, L, A) \
  all.push_back({"turns " #T " x " #B ", " #L " loads" + std::string(A ? " ahead" : ""), [=](const float4* in, float* sum, int n4, cudaStream_t s) { turns<T, B, L, A><<<B * sms, T, 0, s>>>(in, sum, n4); }});
#define EVEN(T, B, L) \
  all.push_back({"even " #T " x " #B ", " #L " loads", [=](const float4* in, float* sum, int n4, cudaStream_t s) { even<T, B, L><<<B * sms, T, 0, s>>>(in, sum, n4); }});
#define TICKETS(T, B, L) \
  all.push_back({"tickets " #T " x " #B ", " #L " loads", [=](const float4* in, float* sum, int n4, cudaStream_t s) { tickets<T, B, L><<<B * sms, T, 0, s>>>(in, sum, n4); }});
#define SHARES(T, B, L) \
  all.push_back({"shares " #T " x " #B ", " #L " loads", [=](const float4* in, float* sum, int n4, cudaStream_t s) { shares<T, B, L><<<B * sms, T, 0, s>>>(in, sum, n4); }});
#define BULK(T, B, L, S)                                                                                                       \
  MUST(cudaFuncSetAttribute(bulk<T, B, L, S>, cudaFuncAttributeMaxDynamicSharedMemorySize, S * L * T * 16));                   \
  all.push_back({"bulk " #T " x " #B ", " #L " loads, ring of " #S, [=](const float4* in, float* sum, int n4, cudaStream_t s) { \
                   bulk<T, B, L, S><<<B * sms, T, S * L * T * 16, s>>>(in, sum, n4);                                           \
                 }});
  TURNS(512, 3, 4, true) TURNS(512, 4, 2, true) TURNS(512, 4, 4, false) TURNS(512, 2, 8, false) TURNS(256, 6, 4, true)
  TURNS(256, 8, 4, false) TURNS(1024, 2, 4, false) TURNS(1024, 2, 2, true) TURNS(1024, 1, 8, false) TURNS(512, 2, 4, true) TURNS(256, 4, 4, true)
  EVEN(512, 3, 4) EVEN(512, 4, 2) EVEN(1024, 1, 4) EVEN(256, 6, 4) EVEN(512, 2, 4) EVEN(1024, 2, 2) EVEN(256, 4, 4)
  SHARES(512, 3, 4) SHARES(256, 6, 4) SHARES(1024, 1, 4) SHARES(512, 2, 4)
  TICKETS(512, 3, 4) TICKETS(512, 4, 2) TICKETS(1024, 1, 4) TICKETS(256, 6, 4) TICKETS(512, 2, 4) TICKETS(1024, 2, 2) TICKETS(256, 4, 4)
  TICKETS(1024, 1, 8) TICKETS(512, 2, 8) TICKETS(256, 8, 2) TICKETS(128, 12, 4)
  BULK(256, 1, 4, 8) BULK(256, 2, 4, 6) BULK(512, 1, 4, 6) BULK(256, 4, 4, 3) BULK(128, 4, 4, 6) BULK(256, 2, 2, 8) BULK(512, 2, 2, 6)

  const size_t bytes = size_t(4) << 30;
  float* data;
  MUST(cudaMalloc(&data, bytes));
  std::vector<float> host(bytes / 4);
  uint32_t x = 12345;
  for (float& v : host) x = x * 1664525u + 1013904223u, v = float(x >> 8) / (1 << 24) - 0.5f;
  MUST(cudaMemcpy(data, host.data(), bytes, cudaMemcpyHostToDevice));
  float* sums;
  MUST(cudaMalloc(&sums, 1024));
  cudaStream_t s;
  MUST(cudaStreamCreate(&s));
  cudaEvent_t a, b;
  MUST(cudaEventCreate(&a));
  MUST(cudaEventCreate(&b));
  for (int log : {20, 22, 24, 25, 28}) {
    const int n = 1 << log, n4 = n / 4, buffers = int(std::min<size_t>(bytes / (size_t(n) * 4), 32)), passes = std::max(buffers, 4);
    std::vector<cudaGraphExec_t> graphs;
    double want = 0, size = 0;
    for (int i = 0; i < n; ++i) want += host[size_t(n) + i], size += std::fabs(host[size_t(n) + i]);
    for (auto& v : all) {
      MUST(cudaMemset(sums, 0xff, 1024));
      v.run((const float4*)(data + size_t(n)), sums, n4, s);
      MUST(cudaStreamSynchronize(s));
      float got;
      MUST(cudaMemcpy(&got, sums, 4, cudaMemcpyDeviceToHost));
      if (!(std::fabs(got - want) <= size * 1e-6)) printf("WRONG %s: %g, not %g\n", v.name.c_str(), got, want);
      cudaGraph_t g;
      cudaGraphExec_t e;
      MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
      for (int i = 0; i < passes; ++i) v.run((const float4*)(data + size_t(n) * (i % buffers)), sums + i % 64, n4, s);
      MUST(cudaStreamEndCapture(s, &g));
      MUST(cudaGraphInstantiate(&e, g, 0));
      graphs.push_back(e);
    }
    // From an empty L2, as the app measures: passes of (empty the L2, work), less the same without the work.
    const float4* other = (const float4*)(data + bytes / 8);
    auto cold_graph = [&](const Version* v) {
      cudaGraph_t g;
      cudaGraphExec_t e;
      MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
      for (int i = 0; i < 8; ++i) {
        empty_l2<<<(192 << 20) / 4096, 256, 0, s>>>(other, sums);
        if (v) v->run((const float4*)data, sums, n4, s);
      }
      MUST(cudaStreamEndCapture(s, &g));
      MUST(cudaGraphInstantiate(&e, g, 0));
      return e;
    };
    std::vector<std::vector<float>> cold(all.size());
    if (log >= 22) {
      cudaGraphExec_t alone = cold_graph(nullptr);
      std::vector<cudaGraphExec_t> with;
      for (auto& v : all) with.push_back(cold_graph(&v));
      auto once = [&](cudaGraphExec_t e) {
        MUST(cudaEventRecord(a, s));
        MUST(cudaGraphLaunch(e, s));
        MUST(cudaEventRecord(b, s));
        MUST(cudaEventSynchronize(b));
        float ms;
        MUST(cudaEventElapsedTime(&ms, a, b));
        return ms * 1e3f / 8;
      };
      for (int r = 0; r < 28; ++r)
        for (size_t k = 0; k < all.size(); ++k) {
          const float none = once(alone), both = once(with[k]);
          if (r >= 3) cold[k].push_back(both - none);
        }
      for (auto& v : cold) std::sort(v.begin(), v.end());
    }
    std::vector<std::vector<float>> us(all.size());
    for (int r = 0; r < 43; ++r)
      for (size_t k = 0; k < all.size(); ++k) {  // in turn: a drift of the clock meets all
        MUST(cudaEventRecord(a, s));
        MUST(cudaGraphLaunch(graphs[k], s));
        MUST(cudaEventRecord(b, s));
        MUST(cudaEventSynchronize(b));
        float ms;
        MUST(cudaEventElapsedTime(&ms, a, b));
        if (r >= 3) us[k].push_back(ms * 1e3f / passes);
      }
    for (auto& v : us) std::sort(v.begin(), v.end());
    const float cub_us = us[0][us[0].size() / 2];
    for (size_t k = 0; k < all.size(); ++k) {
      const float m = us[k][us[k].size() / 2];
      printf("2^%d %-36s %8.2f us  (%.2f to %.2f)  %7.0f GB/s  %.3f x cub", log, all[k].name.c_str(), m, us[k][us[k].size() / 4],
             us[k][us[k].size() * 3 / 4], n * 4e-3 / m, cub_us / m);
      const auto& c = cold[k];
      if (c.empty()) printf("\n");
      else printf("   from an empty L2 %8.2f us (%.2f to %.2f)  %.3f x cub\n", c[c.size() / 2], c[c.size() / 4], c[c.size() * 3 / 4], cold[0][c.size() / 2] / c[c.size() / 2]);
    }
  }
  return 0;
}
