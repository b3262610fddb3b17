// Kernels of tests/microbench/taps.cu: <window or meet><taps>_<step>.
#include "../../microbench/taps.cuh"

#define TAPS(taps, step)                                                          \
  __global__ void __launch_bounds__(256, 8)                                       \
      window##taps##_##step(const float* in, float* out, int words, int rounds) { \
    window_body<taps, step, false>(in, out, words, rounds);                       \
  }                                                                               \
  __global__ void __launch_bounds__(1024)                                         \
      meet##taps##_##step(const float* in, float* out, int words, int rounds) {   \
    window_body<taps, step, true>(in, out, words, rounds);                        \
  }
#define STEPS(taps) TAPS(taps, 1) TAPS(taps, 32)
STEPS(1)
STEPS(2)
STEPS(4)
STEPS(7)
STEPS(16)
