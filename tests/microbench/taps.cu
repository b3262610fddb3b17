// What windows of a stream take: loads of words that a warp's neighbours load as well, so that most meet a line that is on its way.
//   nvcc -O3 -std=c++17 -arch=sm_90 taps.cu -o taps && ./taps
// Nanoseconds a round, from launches of two lengths. "window": 1 to 8 blocks of 256 threads on every SM, each warp at its own pace; data
// from DRAM, from the L2, and such that the L1 keeps. "meet": one block of 1024 threads on every SM, or on one; all loads of a round
// are on their way together, and the block waits for the last. STEP 1: from the second tap on a warp loads parts of two lines; 32:
// whole lines, of which each is its neighbours' too. "issue": when so many of the loads of one block's 32 warps, 32 each, had been
// issued, in cycles, the L1 and L2 being without them: by where a load's words lie. "order": the same of loads that find a word of a line
// each in the L2, or all in the L1, where some warps have sent a load to DRAM 60 cycles before: a place that is free stays taken until the
// loads before it have their data.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "taps.cuh"

template <int TAPS, int STEP>
__global__ void __launch_bounds__(256, 8) window_kernel(const float* in, float* out, int words, int rounds) {
  window_body<TAPS, STEP, false>(in, out, words, rounds);
}
template <int TAPS, int STEP> __global__ void __launch_bounds__(1024) meet_kernel(const float* in, float* out, int words, int rounds) {
  window_body<TAPS, STEP, true>(in, out, words, rounds);
}

constexpr int kLoads = 32, kEach = 4;  // loads of a warp, and between two looks at the clock
/// As below, of loads that the L2 (each a line) or the L1 has, behind a load to DRAM by each of `misses` warps. The third turn is timed.
template <bool L1> __global__ void order_kernel(const char* near, const char* far, int misses, unsigned* when, float* out) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const char* p = near + warp * 4096;
  float v[kLoads], sum = 0, first = 0;
  unsigned c[kLoads / kEach], from, now;
#pragma unroll 1
  for (int turn = 0; turn < 3; ++turn, p += 1 << 20, far += 16 << 20) {
    for (int k = 0; k < kLoads; ++k) {
      float x;
      if (L1) asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(x) : "l"(p + k * 4) : "memory");
      else asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(x) : "l"(p + k * 128) : "memory");
      sum += x;
    }
    __syncthreads();
    asm volatile("mov.u32 %0, %%clock;" : "=r"(from)::"memory");
    if (warp < misses && lane == 0) asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(first) : "l"(far + warp * 4096) : "memory");
    do asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
    while (now - from < 60);
    if (lane == 0) {
#pragma unroll
      for (int k = 0; k < kLoads; ++k) {
        asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(v[k]) : "l"(p + k * (L1 ? 4 : 128)) : "memory");
        if (k % kEach == kEach - 1) asm volatile("mov.u32 %0, %%clock;" : "=r"(c[k / kEach])::"memory");
      }
#pragma unroll
      for (int k = 0; k < kLoads; ++k) sum += v[k];
    }
    sum += first;
  }
  out[threadIdx.x] = sum;
  if (lane == 0)
    for (int k = 0; k < kLoads / kEach; ++k) when[warp * (kLoads / kEach) + k] = c[k];
}
/// A load's lanes below `lanes` read words that lie side by side; STEP bytes to the warp's next load. The second turn is timed: code is there.
template <int STEP> __global__ void issue_kernel(const char* in, int warp_pitch, int lanes, unsigned* when, float* out) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const char* p = in + warp * warp_pitch + lane * 4;
  float v[kLoads], sum = 0;
  unsigned c[kLoads / kEach];
#pragma unroll 1
  for (int turn = 0; turn < 2; ++turn, p += 16 << 20) {
    __syncthreads();
    if (lane < lanes) {
#pragma unroll
      for (int k = 0; k < kLoads; ++k) {
        asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(v[k]) : "l"(p + k * STEP) : "memory");
        if (k % kEach == kEach - 1) asm volatile("mov.u32 %0, %%clock;" : "=r"(c[k / kEach])::"memory");
      }
#pragma unroll
      for (int k = 0; k < kLoads; ++k) sum += v[k];
    }
  }
  out[threadIdx.x] = sum;
  if (lane == 0)
    for (int k = 0; k < kLoads / kEach; ++k) when[warp * (kLoads / kEach) + k] = c[k];
}

struct Bench {
  static constexpr size_t kWords = size_t(1) << 28;  // 1 GiB
  float *in, *out;
  size_t at = 0;
  int sms = 0;

  /// Launches that go through the buffer, so that each reads what the L2 has not kept; the median of seven.
  template <class Kernel> double us(Kernel kernel, int grid, int block, int words, int rounds) {
    const size_t each = std::min(size_t(grid) * block * rounds, size_t(words)) + 4096;
    std::vector<float> all;
    cudaEvent_t a, b;
    cudaEventCreate(&a), cudaEventCreate(&b);
    for (int k = 0; k < 8; ++k) {
      at = at + 2 * each > kWords ? 0 : at + each;
      cudaEventRecord(a);
      kernel<<<grid, block>>>(in + at, out, words, rounds);
      cudaEventRecord(b);
      cudaEventSynchronize(b);
      float ms;
      cudaEventElapsedTime(&ms, a, b);
      if (k) all.push_back(ms * 1000);
    }
    std::sort(all.begin(), all.end());
    return all[3];
  }
  template <class Kernel> void show(const char* what, const char* from, int taps, int step, Kernel kernel, int sms, int per_sm, int block) {
    const int turn = sms * per_sm * block;
    // From the L2: every time around the ring an SM's blocks come to lines that other SMs had.
    const int words = from[0] == 'D' ? 1 << 30 : from[1] == '2' ? 12 * turn + 37 * block : turn;
    const double round = (us(kernel, sms * per_sm, block, words, 240) - us(kernel, sms * per_sm, block, words, 48)) / 192;
    std::printf("%s %2d taps %2d apart, %3d SMs, %d an SM, from %-4s: %8.1f ns a round\n", what, taps, step, sms, per_sm, from, round * 1000);
  }
  template <class Launch> void issued(const char* what, Launch launch) {
    unsigned* when;
    std::vector<unsigned> t(32 * kLoads / kEach);
    cudaMalloc((void**)&when, t.size() * 4);
    at = (at + (16 << 20)) % (kWords / 2);
    launch(when);
    cudaMemcpy(t.data(), when, t.size() * 4, cudaMemcpyDeviceToHost);
    cudaFree(when);
    std::sort(t.begin(), t.end());
    std::printf("%-42s", what);
    for (size_t n : {256, 384, 512, 544, 576, 608, 640, 768, 1024}) std::printf(" %zu: %u", n, t[n / kEach - 1] - t[0]);
    std::printf("\n");
  }
  template <int STEP> void issue(const char* what, int warp_pitch, int lanes) {
    issued(what, [&](unsigned* when) { issue_kernel<STEP><<<1, 1024>>>((const char*)(in + at), warp_pitch, lanes, when, out); });
  }
  template <bool L1> void order(const char* what, int misses) {
    issued(what, [&](unsigned* when) { order_kernel<L1><<<1, 1024>>>((const char*)(in + at), (const char*)(in + (at + kWords / 2) % kWords), misses, when, out); });
  }
  template <int TAPS, int STEP> void rows() {
    for (const char* from : {"DRAM", "L2", "L1"})
      for (int per_sm : {2, 4, 8})
        if (per_sm > 2 || from[1] != '2') show("window", from, TAPS, STEP, window_kernel<TAPS, STEP>, sms, per_sm, 256);
    for (int n : {1, sms}) show("meet", "DRAM", TAPS, STEP, meet_kernel<TAPS, STEP>, n, 1, 1024);
    show("meet", "L2", TAPS, STEP, meet_kernel<TAPS, STEP>, sms, 1, 1024);
  }
};

int main() {
  Bench b;
  cudaDeviceGetAttribute(&b.sms, cudaDevAttrMultiProcessorCount, 0);
  cudaMalloc((void**)&b.in, (Bench::kWords + 4096) * 4), cudaMalloc((void**)&b.out, 1 << 22);
  cudaMemset(b.in, 0, (Bench::kWords + 4096) * 4);
  b.rows<1, 1>();
  b.rows<2, 1>();
  b.rows<4, 1>();
  b.rows<7, 1>();
  b.rows<16, 1>();
  b.rows<4, 32>();
  b.rows<7, 32>();
  b.rows<16, 32>();
  b.issue<128>("issue, a line a load:", 4096, 32);
  b.issue<128>("issue, a word of a line a load:", 4096, 1);
  b.issue<32>("issue, a sector a load:", 1024, 8);
  b.issue<4>("issue, two lines of a warp:", 256, 32);
  b.issue<4>("issue, neighbours, a word on:", 128, 32);
  b.order<false>("order, from the L2 behind no miss:", 0);
  b.order<false>("order, from the L2 behind one miss:", 1);
  b.order<false>("order, from the L2 behind 32:", 32);
  b.order<true>("order, from the L1 behind no miss:", 0);
  b.order<true>("order, from the L1 behind one miss:", 1);
  b.order<true>("order, from the L1 behind 32:", 32);
  std::printf("# %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
