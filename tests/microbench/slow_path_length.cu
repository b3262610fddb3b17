// How many warp instructions the rare cases of a division, a reciprocal and a square root take beyond the common ones, by
// what their operands are. Build, and run on a real GPU under Nsight Compute, which counts:
//   nvcc -O3 -std=c++17 -arch=sm_90 slow_path_length.cu -o slow_path_length
//   ncu --csv --metrics smsp__inst_executed.sum ./slow_path_length
// One launch a line that the program prints, in the same order: one warp, 64 operations. slow_paths.cu says which operands are rare.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

constexpr int kTimes = 64;

template <class T, int OP> __device__ T apply(T a, T b) {
  T r;
  if constexpr (sizeof(T) == 4) {
    if constexpr (OP == 0) asm volatile("div.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    if constexpr (OP == 1) asm volatile("rcp.rn.f32 %0, %1;" : "=f"(r) : "f"(a));
    if constexpr (OP == 2) asm volatile("sqrt.rn.f32 %0, %1;" : "=f"(r) : "f"(a));
  } else {
    if constexpr (OP == 0) asm volatile("div.rn.f64 %0, %1, %2;" : "=d"(r) : "d"(a), "d"(b));
    if constexpr (OP == 1) asm volatile("rcp.rn.f64 %0, %1;" : "=d"(r) : "d"(a));
    if constexpr (OP == 2) asm volatile("sqrt.rn.f64 %0, %1;" : "=d"(r) : "d"(a));
  }
  return r;
}

template <class T, int OP> __global__ void operate(T* out, T a, T b) {
  T sum = 0;
#pragma unroll 1
  for (int k = 0; k < kTimes; ++k) sum += apply<T, OP>(a, b);
  out[threadIdx.x] = sum;
}

// Division and remainder of 64-bit integers: short where the upper halves are zero.
template <int OP> __global__ void divide(long long* out, long long a, long long b) {
  long long sum = 0;
#pragma unroll 1
  for (int k = 0; k < kTimes; ++k) {
    long long r;
    if (OP == 0) asm volatile("div.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
    if (OP == 1) asm volatile("rem.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
    if (OP == 2) asm volatile("div.s64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
    if (OP == 3) asm volatile("rem.s64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
    sum += r;
  }
  out[threadIdx.x] = sum;
}

template <int OP> void integers(const char* name, void* out) {
  const long long values[] = {1234567, 5000000000, -1234567, -5000000000000};
  const char* words[] = {"short", "long", "negative short", "negative long"};
  for (int b = 0; b < 4; ++b)
    for (int a = 0; a < 4; ++a) {
      divide<OP><<<1, 32>>>((long long*)out, values[a], values[b]);
      printf("%s: %s / %s\n", name, words[a], words[b]);
    }
}

template <class To, class From> To bits(From v) {
  To out;
  memcpy(&out, &v, sizeof out);
  return out;
}

template <class T, int OP> void all(const char* name, const T* values, const char* const* words, int n, T* out) {
  for (int b = 0; b < (OP == 0 ? n : 1); ++b)
    for (int a = 0; a < n; ++a) {
      operate<T, OP><<<1, 32>>>(out, values[a], values[b]);
      printf("%s: %s%s%s\n", name, words[a], OP == 0 ? " / " : "", OP == 0 ? words[b] : "");
    }
}

int main() {
  const char* words[] = {"1.5", "0", "denormal", "least normal", "just short", "just long", "largest", "infinity", "nan", "-1.5"};
  float f[] = {1.5f, 0.0f, bits<float>(0x00001234u), bits<float>(0x00812345u), bits<float>(26u << 23 | 7), bits<float>(24u << 23 | 7),
               bits<float>(0x7f7fffffu), bits<float>(0x7f800000u), bits<float>(0x7fc00000u), -1.5f};
  double d[] = {1.5, 0.0, bits<double>(0x0000000000123456ull), bits<double>(0x0012345678912345ull), bits<double>(55ull << 52 | 7),
                bits<double>(52ull << 52 | 7), bits<double>(0x7fefffffffffffffull), bits<double>(0x7ff0000000000000ull),
                bits<double>(0x7ff8000000000000ull), -1.5};
  void* out;
  if (cudaMalloc(&out, 32 * 8) != cudaSuccess) return printf("no GPU\n"), 1;
  all<float, 0>("div.rn.f32", f, words, 10, (float*)out);
  all<float, 1>("rcp.rn.f32", f, words, 10, (float*)out);
  all<float, 2>("sqrt.rn.f32", f, words, 10, (float*)out);
  all<double, 0>("div.rn.f64", d, words, 10, (double*)out);
  all<double, 1>("rcp.rn.f64", d, words, 10, (double*)out);
  all<double, 2>("sqrt.rn.f64", d, words, 10, (double*)out);
  integers<0>("div.u64", out);
  integers<1>("rem.u64", out);
  integers<2>("div.s64", out);
  integers<3>("rem.s64", out);
  // Results that are rare although the operands are not.
  operate<float, 0><<<1, 32>>>((float*)out, 1e-30f, 1e20f);
  printf("div.rn.f32: 1e-30 / 1e20\n");
  operate<float, 0><<<1, 32>>>((float*)out, 1e-20f, 1e18f);
  printf("div.rn.f32: 1e-20 / 1e18\n");
  operate<float, 0><<<1, 32>>>((float*)out, 1e30f, 1e-20f);
  printf("div.rn.f32: 1e30 / 1e-20\n");
  return cudaDeviceSynchronize() != cudaSuccess;
}
