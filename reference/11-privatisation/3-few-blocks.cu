// How often each byte value occurs: a grid of fixed size, each block with its own copy of the
// counts.
// Bound by the L2, where blocks join their counts, and for larger n by the latency of single-byte
// loads. Clears and joins do not grow with n.
constexpr int threads = 256;

__global__ void histogram_kernel(const unsigned char* data, int* bins, int n) {
  __shared__ int mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads)
    atomicAdd(&mine[data[i]], 1);
  __syncthreads();
  const int count = mine[threadIdx.x];
  if (count != 0) atomicAdd(&bins[threadIdx.x], count);
}

void histogram(const unsigned char* data, int* bins, int n) {
  cudaMemset(bins, 0, 256 * sizeof(int));
  if (n == 0) return;
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int wanted = (n + threads - 1) / threads;
  const int most = 8 * sms;  // 8 blocks of 256 threads fill an SM of an H100
  histogram_kernel<<<min(wanted, most), threads>>>(data, bins, n);
}
