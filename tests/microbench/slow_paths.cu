// For which operands a division, a reciprocal and a square root leave their short way: ptxas puts the rare cases into a
// routine that it calls, and a warp goes there when any lane has to. Build and run on a real GPU:
//   nvcc -O3 -std=c++17 -arch=sm_90 slow_paths.cu -o slow_paths && ./slow_paths
// A warp whose lanes all hold the same operands takes the time of one operation, for every pair of exponents. Printed for each
// exponent of b (raw, 0 is zero or denormal): from which to which exponents of a the time is the short one, both included.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static void must(cudaError_t e, const char* what) {
  if (e != cudaSuccess) printf("%s: %s\n", what, cudaGetErrorString(e)), exit(1);
}

enum Op { kDiv, kRcp, kSqrt };

template <class T, Op OP> __device__ T apply(T a, T b) {
  T r;
  if constexpr (sizeof(T) == 4) {
    if constexpr (OP == kDiv) asm volatile("div.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    if constexpr (OP == kRcp) asm volatile("rcp.rn.f32 %0, %1;" : "=f"(r) : "f"(a));
    if constexpr (OP == kSqrt) asm volatile("sqrt.rn.f32 %0, %1;" : "=f"(r) : "f"(a));
  } else {
    if constexpr (OP == kDiv) asm volatile("div.rn.f64 %0, %1, %2;" : "=d"(r) : "d"(a), "d"(b));
    if constexpr (OP == kRcp) asm volatile("rcp.rn.f64 %0, %1;" : "=d"(r) : "d"(a));
    if constexpr (OP == kSqrt) asm volatile("sqrt.rn.f64 %0, %1;" : "=d"(r) : "d"(a));
  }
  return r;
}

template <class T> __device__ T make(unsigned exponent, uint64_t mantissa, bool negative) {
  if constexpr (sizeof(T) == 4) return __uint_as_float(unsigned(negative) << 31 | exponent << 23 | unsigned(mantissa));
  else return __longlong_as_double((long long)(uint64_t(negative) << 63 | uint64_t(exponent) << 52 | mantissa));
}

// Block x: exponent of a; block y: exponent of b. One warp; the second of two turns is kept, its code is in the caches.
template <class T, Op OP> __global__ void times(unsigned short* out, T* sink, uint64_t ma, uint64_t mb, bool negative) {
  T a = make<T>(blockIdx.x, ma, negative), b = make<T>(blockIdx.y, mb, false), r = 0;
  unsigned t = 0;
#pragma unroll 1
  for (int turn = 0; turn < 2; ++turn) {
    unsigned from, to;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(from)::"memory");
    r += apply<T, OP>(a, b);
    sink[threadIdx.x] = r;  // the time is taken behind the store, which needs the result
    asm volatile("mov.u32 %0, %%clock;" : "=r"(to)::"memory");
    t = to - from;
  }
  if (threadIdx.x == 0) out[size_t(blockIdx.y) * gridDim.x + blockIdx.x] = (unsigned short)min(t, 65535u);
}

template <class T, Op OP> void run(const char* name, uint64_t ma, uint64_t mb, bool negative) {
  const unsigned n = sizeof(T) == 4 ? 256 : 2048, rows = OP == kDiv ? n : 1;
  unsigned short* out;
  T* sink;
  must(cudaMalloc(&out, size_t(n) * rows * 2), "cudaMalloc");
  must(cudaMalloc(&sink, 32 * sizeof(T)), "cudaMalloc");
  std::vector<unsigned short> t(size_t(n) * rows), best(size_t(n) * rows, 65535);
  for (int k = 0; k < 5; ++k) {  // the quickest of five: what blocks wait for each other is gone
    times<T, OP><<<dim3(n, rows), 32>>>(out, sink, ma, mb, negative);
    must(cudaMemcpy(t.data(), out, t.size() * 2, cudaMemcpyDeviceToHost), "copy");
    for (size_t i = 0; i < t.size(); ++i) best[i] = std::min(best[i], t[i]);
  }
  std::vector<unsigned short> sorted = best;
  std::sort(sorted.begin(), sorted.end());
  // The short way's time is the commonest of the quick ones; what is far above it went the long way.
  const double shortest = sorted[sorted.size() / 50], longest = sorted[sorted.size() - 1 - sorted.size() / 100];
  const double limit = (shortest + std::min<double>(longest, 2 * shortest + 200)) / 2;
  printf("# %s, mantissas %llx and %llx%s: short %g cycles, longest %g, counted as long above %g\n", name, (unsigned long long)ma,
         (unsigned long long)mb, negative ? ", a negative" : "", shortest, longest, limit);
  std::string before;
  unsigned first = 0;
  for (unsigned b = 0; b <= rows; ++b) {
    std::string line;
    if (b < rows) {
      for (unsigned a = 0; a < n; ++a) {
        const bool quick = best[size_t(b) * n + a] <= limit, was = a > 0 && best[size_t(b) * n + a - 1] <= limit;
        char text[64];
        if (quick && !was) snprintf(text, sizeof text, " %d", int(a)), line += text;
        if (!quick && was) snprintf(text, sizeof text, "-%d", int(a) - 1), line += text;
        if (quick && a == n - 1) snprintf(text, sizeof text, "-%d", int(a)), line += text;
      }
      if (line.empty()) line = " none";
    }
    if (line == before) continue;
    if (b > 0) printf("%s b %u-%u: a%s\n", name, first, b - 1, before.c_str());
    before = line, first = b;
  }
  must(cudaFree(out), "free"), must(cudaFree(sink), "free");
}

int main() {
  cudaDeviceProp p;
  must(cudaGetDeviceProperties(&p, 0), "device");
  printf("# %s, slow_paths.cu\n", p.name);
  const uint64_t f = 0x7fffff, d = 0xfffffffffffff;
  run<float, kDiv>("div.rn.f32", 0, 0, false);
  run<float, kDiv>("div.rn.f32", 0, 0, true);
  run<float, kDiv>("div.rn.f32", 1, 1, false);
  run<float, kDiv>("div.rn.f32", f, 0, false);
  run<float, kDiv>("div.rn.f32", 0, f, false);
  run<float, kRcp>("rcp.rn.f32", 0, 0, false);
  run<float, kRcp>("rcp.rn.f32", 1, 0, false);
  run<float, kRcp>("rcp.rn.f32", f, 0, true);
  run<float, kSqrt>("sqrt.rn.f32", 0, 0, false);
  run<float, kSqrt>("sqrt.rn.f32", 1, 0, false);
  run<float, kSqrt>("sqrt.rn.f32", 1, 0, true);
  run<double, kDiv>("div.rn.f64", 0, 0, false);
  run<double, kDiv>("div.rn.f64", 1, 1, false);
  run<double, kDiv>("div.rn.f64", d, 0, false);
  run<double, kDiv>("div.rn.f64", 0, d, true);
  run<double, kRcp>("rcp.rn.f64", 0, 0, false);
  run<double, kRcp>("rcp.rn.f64", d, 0, false);
  run<double, kSqrt>("sqrt.rn.f64", 0, 0, false);
  run<double, kSqrt>("sqrt.rn.f64", d, 0, true);
}
