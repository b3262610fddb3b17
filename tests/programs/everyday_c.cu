// What many first programs have: seeds from the clock, mathematics of mixed types in host code, ranges for
// a profiler.
#include <cuda_profiler_api.h>
#include <math.h>
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

__global__ void scale(double* x, double by) { x[threadIdx.x] *= by; }

int main(void) {
  srand(time(NULL));
  srand((unsigned)time(0));
  float f = 2;
  double d = 3, error = 0;
  for (int i = 0; i < 3; i++) error = fmax(error, fabs(f - i));
  printf("%g %g %g %g\n", error, fmin(d, f), fmod(7.5, f), pow(f, d));
  printf("%.3f %.3f %g %g\n", atan2(f, d), hypot(d, 4), fmax(1, d), pow(2, 10));

  nvtxRangePush("scale");
  cudaProfilerStart();
  double *x, *on_gpu;
  x = (double*)malloc(32 * sizeof(double));
  for (int i = 0; i < 32; i++) x[i] = i;
  cudaMalloc((void**)&on_gpu, 32 * sizeof(double));
  cudaMemcpy(on_gpu, x, 32 * sizeof(double), cudaMemcpyHostToDevice);
  scale<<<1, 32>>>(on_gpu, 1.5);
  cudaMemcpy(x, on_gpu, 32 * sizeof(double), cudaMemcpyDeviceToHost);
  cudaProfilerStop();
  nvtxRangePop();
  printf("%g\n", x[31]);
  free(x);
  cudaFree(on_gpu);
  return 0;
}
