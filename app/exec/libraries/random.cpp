// libcurand.so.10 of `warpdojo exec`: pseudo-random numbers made on the host. Seeds and offsets do what they
// do on a GPU, and distributions are those that were asked for; the numbers are not cuRAND's. Every generator
// is a 64-bit Mersenne Twister. There are no quasi-random generators.
#include <curand.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "not_simulated.hpp"

struct curandGenerator_st {
  std::mt19937_64 bits{0};
  unsigned long long seed = 0, offset = 0;
  cudaStream_t stream = nullptr;
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

void start_again(curandGenerator_t g) {
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
  std::vector<T> all(n);
  for (T& v : all) v = T(next(g->bits));
  if (n && cudaMemcpy(out, all.data(), n * sizeof(T), cudaMemcpyDefault) != cudaSuccess)
    return CURAND_STATUS_LAUNCH_FAILURE;
  return CURAND_STATUS_SUCCESS;
}

}  // namespace

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t* g, curandRngType_t type) {
  if (type >= CURAND_RNG_QUASI_DEFAULT) {
    __cudaDojoMissing("curandCreateGenerator", __builtin_return_address(0));
    return CURAND_STATUS_TYPE_ERROR;
  }
  *g = new curandGenerator_st;
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
  return fill(g, "curandGenerate", __builtin_return_address(0), out, n,
              [](auto& bits) { return bits() >> 32; });
}
curandStatus_t curandGenerateUniform(curandGenerator_t g, float* out, size_t n) {
  return fill(g, "curandGenerateUniform", __builtin_return_address(0), out, n, uniform_float);
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double* out, size_t n) {
  return fill(g, "curandGenerateUniformDouble", __builtin_return_address(0), out, n, uniform);
}
curandStatus_t curandGenerateNormal(curandGenerator_t g, float* out, size_t n, float mean, float deviation) {
  return fill(g, "curandGenerateNormal", __builtin_return_address(0), out, n,
              [&](auto& bits) { return mean + deviation * normal(bits); });
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double* out, size_t n, double mean,
                                          double deviation) {
  return fill(g, "curandGenerateNormalDouble", __builtin_return_address(0), out, n,
              [&](auto& bits) { return mean + deviation * normal(bits); });
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float* out, size_t n, float mean,
                                       float deviation) {
  return fill(g, "curandGenerateLogNormal", __builtin_return_address(0), out, n,
              [&](auto& bits) { return std::exp(mean + deviation * normal(bits)); });
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double* out, size_t n, double mean,
                                             double deviation) {
  return fill(g, "curandGenerateLogNormalDouble", __builtin_return_address(0), out, n,
              [&](auto& bits) { return std::exp(mean + deviation * normal(bits)); });
}
curandStatus_t curandGeneratePoisson(curandGenerator_t g, unsigned int* out, size_t n, double lambda) {
  if (!(lambda > 0)) return CURAND_STATUS_OUT_OF_RANGE;
  std::poisson_distribution<unsigned> poisson(lambda);
  return fill(g, "curandGeneratePoisson", __builtin_return_address(0), out, n,
              [&](auto& bits) { return poisson(bits); });
}

}  // extern "C"
