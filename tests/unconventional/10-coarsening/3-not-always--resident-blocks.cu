// unconventional: coarsening/3-not-always
// A grid-stride loop by as many blocks as can be resident.
__global__ void k(const float* a, const float* b, float* c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) c[i] = a[i] + b[i];
}
void add(const float* a, const float* b, float* c, int n) {
  if (!n) return;
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  int per = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, k, 256, 0);
  k<<<min((n + 255) / 256, p.multiProcessorCount * per), 256>>>(a, b, c, n);
}
