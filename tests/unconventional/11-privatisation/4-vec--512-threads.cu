// unconventional: privatisation/4-vec
// 512 threads per block, and loads past the caches.
constexpr int threads = 512;

__device__ void count(int* mine, unsigned word) {
  for (int k = 0; k < 4; ++k) atomicAdd(&mine[(word >> (8 * k)) & 255], 1);
}

__global__ void histogram_kernel(const unsigned char* data, int* bins, int n) {
  __shared__ int mine[256];
  if (threadIdx.x < 256) mine[threadIdx.x] = 0;
  __syncthreads();
  const int first = blockIdx.x * threads + threadIdx.x;
  const int all = gridDim.x * threads;
  for (int v = first; v < n / 16; v += all) {
    const uint4 bytes = __ldcs(reinterpret_cast<const uint4*>(data) + v);
    count(mine, bytes.x);
    count(mine, bytes.y);
    count(mine, bytes.z);
    count(mine, bytes.w);
  }
  for (int i = n / 16 * 16 + first; i < n; i += all) atomicAdd(&mine[data[i]], 1);  // at most 15
  __syncthreads();
  const int count = threadIdx.x < 256 ? mine[threadIdx.x] : 0;
  if (count != 0) atomicAdd(&bins[threadIdx.x], count);
}

void histogram(const unsigned char* data, int* bins, int n) {
  cudaMemset(bins, 0, 256 * sizeof(int));
  if (n == 0) return;
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int wanted = (n / 16 + threads) / threads;
  const int most = 4 * sms;  // 8 blocks of 256 threads fill an SM
  histogram_kernel<<<min(wanted, most), threads>>>(data, bins, n);
}
