// expect: finding
// A kernel as a function of the host.
__global__ void k(float* p, int n) { p[threadIdx.x] = n; }
void reduce(const float* in, float* partials, int n) {
  cudaLaunchHostFunc(0, (cudaHostFn_t)(void*)k, 0);
  cudaDeviceSynchronize();
}
