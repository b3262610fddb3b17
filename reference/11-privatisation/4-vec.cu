// How often each byte value occurs: 16 bytes per load, one copy of the counts per block.
// Bound by latency at the default size, where 128 blocks do it all. At 2^24 bytes the joins in the
// L2 are the bound, at 2^28 DRAM bandwidth.
constexpr int threads = 256;

__device__ void count(int* mine, unsigned word) {
  for (int k = 0; k < 4; ++k) atomicAdd(&mine[(word >> (8 * k)) & 255], 1);
}

__global__ void histogram_kernel(const unsigned char* data, int* bins, int n) {
  __shared__ int mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  const int first = blockIdx.x * threads + threadIdx.x;
  const int all = gridDim.x * threads;
  for (int v = first; v < n / 16; v += all) {
    const uint4 bytes = reinterpret_cast<const uint4*>(data)[v];
    count(mine, bytes.x);
    count(mine, bytes.y);
    count(mine, bytes.z);
    count(mine, bytes.w);
  }
  for (int i = n / 16 * 16 + first; i < n; i += all) atomicAdd(&mine[data[i]], 1);  // at most 15
  __syncthreads();
  const int total = mine[threadIdx.x];
  if (total != 0) atomicAdd(&bins[threadIdx.x], total);
}

void histogram(const unsigned char* data, int* bins, int n) {
  cudaMemset(bins, 0, 256 * sizeof(int));
  if (n == 0) return;
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int wanted = (n / 16 + threads) / threads;
  const int most = 8 * sms;  // 8 blocks of 256 threads fill an SM of an H100
  histogram_kernel<<<min(wanted, most), threads>>>(data, bins, n);
}
