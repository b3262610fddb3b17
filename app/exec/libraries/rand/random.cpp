// libcurand.so.10 of `warpdojo exec`: random numbers made on the host. Seeds and offsets do what they do on a
// GPU, and distributions are those that were asked for; the numbers are not cuRAND's. Every pseudo-random
// generator is a 64-bit Mersenne Twister, every quasi-random one a Sobol sequence of 32 bits (sobol.hpp),
// which the scrambled ones shift. Of n numbers in d dimensions the first n / d are the first dimension's.
#include <curand.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <random>
#include <vector>

#include "shared/guarded.hpp"
#include "shared/not_simulated.hpp"
#include "sobol.hpp"

struct curandGenerator_st {
  std::mt19937_64 bits{0};
  unsigned long long seed = 0, offset = 0;
  cudaStream_t stream = nullptr;
  // Quasi-random:
  bool quasi = false, scrambled = false;
  unsigned dimensions = 1;
  unsigned long long points = 0;  ///< that were drawn behind the offset
  std::unique_ptr<dojo::libraries::Sobol> sobol;
};

namespace {

/// In (0, 1].
double uniform(std::mt19937_64& bits) { return double((bits() >> 11) + 1) * 0x1p-53; }
float uniform_float(std::mt19937_64& bits) { return float((bits() >> 40) + 1) * 0x1p-24f; }

/// By Box and Muller (1958).
double normal(std::mt19937_64& bits) {
  const double radius = std::sqrt(-2 * std::log(uniform(bits)));
  return radius * std::cos(2 * std::numbers::pi * uniform(bits));
}

/// The normal deviate below which a fraction p lies, 0 < p < 1: Hastings' approximation (Abramowitz and
/// Stegun 26.2.23), and two steps of Newton's.
double normal_below(double p) {
  const double t = std::sqrt(-2 * std::log(std::min(p, 1 - p)));
  double x =
      t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  if (p < 0.5) x = -x;
  for (int i = 0; i < 2; ++i)
    x -= (std::erfc(-x / std::numbers::sqrt2) / 2 - p) /
         (std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi));
  return x;
}

void start_again(curandGenerator_t g) {
  g->points = 0;
  g->bits.seed(g->seed);
  g->bits.discard(g->offset);
}

/// Fills `out` after the generator's stream with what `next` makes of the generator's bits.
template <class T, class Next>
curandStatus_t fill(curandGenerator_t g, const char* name, const void* return_address, T* out, size_t n,
                    const Next& next) {
  __cudaDojoNotSimulated(name, return_address);
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  if (cudaStreamSynchronize(g->stream) != cudaSuccess) return CURAND_STATUS_PREEXISTING_FAILURE;
  return dojo::libraries::guarded(CURAND_STATUS_ALLOCATION_FAILED, [&] {
    std::vector<T> all(n);
    for (T& v : all) v = T(next(g->bits));
    if (n && cudaMemcpy(out, all.data(), n * sizeof(T), cudaMemcpyDefault) != cudaSuccess)
      return CURAND_STATUS_LAUNCH_FAILURE;
    return CURAND_STATUS_SUCCESS;
  });
}

/// The same of a quasi-random generator: `from` makes a number of 32 bits of the sequence.
template <class T, class From>
curandStatus_t fill_quasi(curandGenerator_t g, const char* name, const void* return_address, T* out, size_t n,
                          const From& from) {
  __cudaDojoNotSimulated(name, return_address);
  if (n % g->dimensions) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  if (cudaStreamSynchronize(g->stream) != cudaSuccess) return CURAND_STATUS_PREEXISTING_FAILURE;
  return dojo::libraries::guarded(CURAND_STATUS_ALLOCATION_FAILED, [&] {
    if (!g->sobol) g->sobol = std::make_unique<dojo::libraries::Sobol>(g->dimensions);
    const size_t each = n / g->dimensions;
    std::mt19937 shift(5);
    std::vector<T> all;
    all.reserve(n);
    for (unsigned d = 0; d < g->dimensions; ++d) {
      const uint32_t by = g->scrambled ? uint32_t(shift()) : 0;
      for (uint32_t v : g->sobol->values(d, g->offset + g->points, each)) all.push_back(T(from(v ^ by)));
    }
    g->points += each;
    if (n && cudaMemcpy(out, all.data(), n * sizeof(T), cudaMemcpyDefault) != cudaSuccess)
      return CURAND_STATUS_LAUNCH_FAILURE;
    return CURAND_STATUS_SUCCESS;
  });
}
double fraction(uint32_t v) { return (v + 0.5) * 0x1p-32; }  // in (0, 1)

/// In a call that fills `out` with n numbers: of a quasi-random generator they are FROM(v).
#define IF_QUASI(NAME, FROM) \
  if (g && g->quasi)         \
    return fill_quasi(g, NAME, __builtin_return_address(0), out, n, [&](uint32_t v) { return FROM; });

}  // namespace

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t* g, curandRngType_t type) {
  *g = new curandGenerator_st;
  (*g)->quasi = type >= CURAND_RNG_QUASI_DEFAULT;
  (*g)->scrambled = type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t g, unsigned dimensions) {
  if (!g || !g->quasi) return CURAND_STATUS_TYPE_ERROR;
  if (dimensions < 1 || dimensions > 20000) return CURAND_STATUS_OUT_OF_RANGE;
  g->dimensions = dimensions;
  g->sobol.reset();
  start_again(g);
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* g, curandRngType_t type) {
  return curandCreateGenerator(g, type);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t g) {
  delete g;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetVersion(int* version) {
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream) {
  g->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed) {
  if (g->quasi) return CURAND_STATUS_TYPE_ERROR;
  g->seed = seed;
  start_again(g);
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset) {
  g->offset = offset;
  start_again(g);
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t, curandOrdering_t) {
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGenerateSeeds(curandGenerator_t) { return CURAND_STATUS_SUCCESS; }

curandStatus_t curandGenerate(curandGenerator_t g, unsigned int* out, size_t n) {
  IF_QUASI("curandGenerate", v)
  return fill(g, "curandGenerate", __builtin_return_address(0), out, n,
              [](auto& bits) { return bits() >> 32; });
}
curandStatus_t curandGenerateUniform(curandGenerator_t g, float* out, size_t n) {
  IF_QUASI("curandGenerateUniform", float(fraction(v)))
  return fill(g, "curandGenerateUniform", __builtin_return_address(0), out, n, uniform_float);
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double* out, size_t n) {
  IF_QUASI("curandGenerateUniformDouble", fraction(v))
  return fill(g, "curandGenerateUniformDouble", __builtin_return_address(0), out, n, uniform);
}
curandStatus_t curandGenerateNormal(curandGenerator_t g, float* out, size_t n, float mean, float deviation) {
  IF_QUASI("curandGenerateNormal", mean + deviation * normal_below(fraction(v)))
  return fill(g, "curandGenerateNormal", __builtin_return_address(0), out, n,
              [&](auto& bits) { return mean + deviation * normal(bits); });
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double* out, size_t n, double mean,
                                          double deviation) {
  IF_QUASI("curandGenerateNormalDouble", mean + deviation * normal_below(fraction(v)))
  return fill(g, "curandGenerateNormalDouble", __builtin_return_address(0), out, n,
              [&](auto& bits) { return mean + deviation * normal(bits); });
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float* out, size_t n, float mean,
                                       float deviation) {
  IF_QUASI("curandGenerateLogNormal", std::exp(mean + deviation * normal_below(fraction(v))))
  return fill(g, "curandGenerateLogNormal", __builtin_return_address(0), out, n,
              [&](auto& bits) { return std::exp(mean + deviation * normal(bits)); });
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double* out, size_t n, double mean,
                                             double deviation) {
  IF_QUASI("curandGenerateLogNormalDouble", std::exp(mean + deviation * normal_below(fraction(v))))
  return fill(g, "curandGenerateLogNormalDouble", __builtin_return_address(0), out, n,
              [&](auto& bits) { return std::exp(mean + deviation * normal(bits)); });
}
curandStatus_t curandGeneratePoisson(curandGenerator_t g, unsigned int* out, size_t n, double lambda) {
  if (!(lambda > 0)) return CURAND_STATUS_OUT_OF_RANGE;
  if (g && g->quasi) {
    __cudaDojoMissing("curandGeneratePoisson of a quasi-random generator", __builtin_return_address(0));
    return CURAND_STATUS_TYPE_ERROR;
  }
  std::poisson_distribution<unsigned> poisson(lambda);
  return fill(g, "curandGeneratePoisson", __builtin_return_address(0), out, n,
              [&](auto& bits) { return poisson(bits); });
}

}  // extern "C"
