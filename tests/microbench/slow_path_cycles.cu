// How many cycles one warp takes for a division, a reciprocal or a square root of rare operands more than for common ones, by
// what they are; and when the lanes of a warp go two or three ways. slow_path_length.cu counts the instructions.
//   nvcc -O3 -std=c++17 -arch=sm_90 slow_path_cycles.cu -o slow_path_cycles && ./slow_path_cycles
// Under `ncu --csv --metrics smsp__inst_executed.sum` the instructions too: two launches a line, and two of common operands before
// the lines of several ways. One warp, 256 operations one after another (each has a bit of the one before in its operand, so
// none overlaps).
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

constexpr int kTimes = 256;

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
__device__ float mixed(float a, float r, int zero) { return __int_as_float(__float_as_int(a) | (__float_as_int(r) & zero)); }
__device__ double mixed(double a, double r, int zero) { return __longlong_as_double(__double_as_longlong(a) | (__double_as_longlong(r) & zero)); }

/// Three pairs of operands; lane l works on the (l % 3)-th.
template <class T> struct Operands {
  T a[3], b[3];
};

template <class T, int OP> __global__ void operate(T* out, Operands<T> of, int zero, long long* cycles) {
  T a = of.a[threadIdx.x % 3];
  const T b = of.b[threadIdx.x % 3];
  const long long start = clock64();
#pragma unroll 1
  for (int k = 0; k < kTimes; ++k) a = mixed(a, apply<T, OP>(a, b), zero);
  __syncwarp();
  if (threadIdx.x == 0) *cycles = clock64() - start;
  out[threadIdx.x] = a;
}

template <class T, int OP> double measure(void* out, long long* cycles, Operands<T> of) {
  long long c = 0;
  for (int pass = 0; pass < 2; ++pass) {
    operate<T, OP><<<1, 32>>>((T*)out, of, 0, cycles);
    cudaMemcpy(&c, cycles, 8, cudaMemcpyDeviceToHost);
  }
  return double(c) / kTimes;
}

template <class To, class From> To bits(From v) {
  To out;
  memcpy(&out, &v, sizeof out);
  return out;
}

template <class T> Operands<T> same(T a, T b) { return {{a, a, a}, {b, b, b}}; }

template <class T> struct Way {
  const char* name;
  T a, b;
};
/// Lanes of one warp that go two or three ways; "common" is no routine at all.
template <class T, int OP> void together(const char* name, const Way<T>* ways, int n, void* out, long long* cycles) {
  const double common = measure<T, OP>(out, cycles, same(ways[0].a, ways[0].b));
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      for (int k = j; k < n; ++k) {
        const Way<T>&x = ways[i], &y = ways[j], &z = ways[k];
        printf("%s: %s and %s%s%s  %.1f cycles more\n", name, x.name, y.name, k > j ? " and " : "", k > j ? z.name : "",
               measure<T, OP>(out, cycles, {{x.a, y.a, z.a}, {x.b, y.b, z.b}}) - common);
      }
}

template <class T, int OP> void all(const char* name, const T* values, const char* const* words, int n, void* out, long long* cycles) {
  const double common = measure<T, OP>(out, cycles, same(values[0], values[0]));
  printf("%s: common  %.1f cycles\n", name, common);
  for (int b = 0; b < (OP == 0 ? n : 1); ++b)
    for (int a = 0; a < n; ++a)
      printf("%s: %s%s%s  %.1f cycles more\n", name, words[a], OP == 0 ? " / " : "", OP == 0 ? words[b] : "",
             measure<T, OP>(out, cycles, same(values[a], values[b])) - common);
}

int main() {
  const char* words[] = {"1.5", "0", "denormal", "least normal", "just short", "just long", "largest", "infinity", "nan", "-1.5"};
  float f[] = {1.5f, 0.0f, bits<float>(0x00001234u), bits<float>(0x00812345u), bits<float>(26u << 23 | 7), bits<float>(24u << 23 | 7),
               bits<float>(0x7f7fffffu), bits<float>(0x7f800000u), bits<float>(0x7fc00000u), -1.5f};
  double d[] = {1.5, 0.0, bits<double>(0x0000000000123456ull), bits<double>(0x0012345678912345ull), bits<double>(55ull << 52 | 7),
                bits<double>(52ull << 52 | 7), bits<double>(0x7fefffffffffffffull), bits<double>(0x7ff0000000000000ull),
                bits<double>(0x7ff8000000000000ull), -1.5};
  void* out;
  long long* cycles;
  if (cudaMalloc(&out, 32 * 8) != cudaSuccess || cudaMalloc((void**)&cycles, 8) != cudaSuccess) return printf("no GPU\n"), 1;
  all<float, 0>("div.rn.f32", f, words, 10, out, cycles);
  all<float, 1>("rcp.rn.f32", f, words, 10, out, cycles);
  all<float, 2>("sqrt.rn.f32", f, words, 10, out, cycles);
  all<double, 0>("div.rn.f64", d, words, 10, out, cycles);
  all<double, 1>("rcp.rn.f64", d, words, 10, out, cycles);
  all<double, 2>("sqrt.rn.f64", d, words, 10, out, cycles);
  const Way<float> fs[] = {{"common", 1.5f, 1.5f}, {"0", 0.0f, 1.5f}, {"denormal", f[2], 1.5f}, {"least normal", f[3], 1.5f},
      {"just long", f[5], 1.5f}, {"nan", f[8], 1.5f}, {"infinity", f[7], 1.5f}, {"0 / 0", 0.0f, 0.0f}, {"over a denormal", 1.5f, f[2]}};
  const Way<float> singles[] = {{"common", 1.5f, 0}, {"0", 0.0f, 0}, {"denormal", f[2], 0}, {"largest", f[6], 0}, {"nan", f[8], 0}, {"infinity", f[7], 0}, {"-1.5", -1.5f, 0}};
  const Way<double> ds[] = {{"common", 1.5, 1.5}, {"0", 0.0, 1.5}, {"least normal", d[3], 1.5}, {"largest", d[6], 1.5}, {"nan", d[8], 1.5}, {"infinity", d[7], 1.5}};
  together<float, 0>("div.rn.f32", fs, 9, out, cycles);
  together<float, 1>("rcp.rn.f32", singles, 6, out, cycles);
  together<float, 2>("sqrt.rn.f32", singles, 7, out, cycles);
  together<double, 0>("div.rn.f64", ds, 6, out, cycles);
  return cudaDeviceSynchronize() != cudaSuccess;
}
