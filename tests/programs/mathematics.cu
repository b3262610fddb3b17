// What kernels compute of the mathematical functions, against the C library's on the host: the largest error in units of
// the last place, where the bound is that of the CUDA C++ Programming Guide or, in double precision, 3 at most.
#include <cfloat>
#include <cmath>
#include <cstdio>

constexpr int n = 192;

#define FUNCTION(name)                                                                     \
  struct F_##name {                                                                        \
    template <class T> __host__ __device__ static T of(T x) { return name(x); }            \
    __host__ static double exact(double x) { return name(x); }                             \
  };
FUNCTION(sin)
FUNCTION(cos)
FUNCTION(tan)
FUNCTION(exp)
FUNCTION(exp2)
FUNCTION(expm1)
FUNCTION(log)
FUNCTION(log2)
FUNCTION(log10)
FUNCTION(log1p)
FUNCTION(asin)
FUNCTION(acos)
FUNCTION(atan)
FUNCTION(sinh)
FUNCTION(tanh)
FUNCTION(cbrt)
FUNCTION(erf)
FUNCTION(erfc)
struct F_pow {
  template <class T> __host__ __device__ static T of(T x) { return pow(x, T(2.5) - x); }
  __host__ static double exact(double x) { return pow(x, 2.5 - x); }
};

template <class F, class T> __global__ void compute(const T* x, T* y) {
  y[threadIdx.x] = F::of(x[threadIdx.x]);
}

double unit(double v, double epsilon, double least) {
  int e;
  frexp(v, &e);
  const double u = ldexp(1.0, e) * epsilon * 0.5;
  return u > least ? u : least;
}

template <class F, class T> double largest_error(double from, double to, bool by_powers) {
  T x[n], y[n], *in, *out;
  for (int i = 0; i < n; ++i) {
    const double t = (i * 0.61803398874989485) - int(i * 0.61803398874989485);
    x[i] = T(by_powers ? (i % 2 ? -1 : 1) * exp2(from + (to - from) * t) : from + (to - from) * t);
  }
  cudaMalloc(&in, sizeof x);
  cudaMalloc(&out, sizeof y);
  cudaMemcpy(in, x, sizeof x, cudaMemcpyHostToDevice);
  compute<F, T><<<1, n>>>(in, out);
  cudaMemcpy(y, out, sizeof y, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  double most = 0;
  const bool single = sizeof(T) == 4;
  for (int i = 0; i < n; ++i) {
    const double want = F::exact(double(x[i]));
    const double u = unit(want, single ? FLT_EPSILON : DBL_EPSILON, single ? 1.4e-45 : 4.95e-324);
    const double e = fabs(double(y[i]) - want) / u;
    if (!(e <= most)) most = e;
  }
  return most;
}

template <class F> void check(const char* name, double from, double to, double bound, double bound_double,
                              bool by_powers = false) {
  const double single = largest_error<F, float>(from, to, by_powers);
  const double both = largest_error<F, double>(from, to, by_powers);
  if (single <= bound && both <= bound_double)
    printf("%s: float within %g ulp, double within %g ulp\n", name, bound, bound_double);
  else
    printf("%s: float %g ulp, double %g ulp off\n", name, single, both);
}

int main() {
  check<F_sin>("sin", -20, 20, 2, 2);
  check<F_sin>("sin of numbers up to 2^120", -20, 120, 2, 2, true);
  check<F_cos>("cos", -20, 20, 2, 2);
  check<F_tan>("tan", -20, 20, 4, 3);
  check<F_exp>("exp", -80, 80, 2, 2);
  check<F_exp2>("exp2", -120, 120, 2, 2);
  check<F_expm1>("expm1", -3, 3, 2, 2);
  check<F_log>("log", 0.001, 3, 2, 2);
  check<F_log2>("log2", 0.1, 3, 2, 2);
  check<F_log10>("log10", 0.1, 3, 2, 2);
  check<F_log1p>("log1p", -0.9, 3, 2, 2);
  check<F_asin>("asin", -1, 1, 4, 2);
  check<F_acos>("acos", -1, 1, 3, 2);
  check<F_atan>("atan", -5, 5, 3, 2);
  check<F_sinh>("sinh", -5, 5, 3, 2);
  check<F_tanh>("tanh", -3, 3, 2, 3);
  check<F_cbrt>("cbrt", -20, 20, 2, 2, true);
  check<F_erf>("erf", -4, 4, 3, 2);
  check<F_erfc>("erfc", -4, 9, 5, 4);
  check<F_pow>("pow", 0.05, 12, 4, 2);
}
