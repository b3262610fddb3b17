// lazy: clusters/5-distributed
// expect: gate shared_atomics >= n / 64
// All samples are counted in global memory: scattered additions of 32 lanes to 32 sectors.
constexpr int threads = 1024;

__global__ void histogram_kernel(const int* data, int* bins, int n) {
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads)
    atomicAdd(&bins[data[i]], 1);
}

void histogram(const int* data, int* bins, int n, int values) {
  cudaMemset(bins, 0, values * sizeof(int));
  if (n == 0) return;
  histogram_kernel<<<264, threads>>>(data, bins, n);
}
