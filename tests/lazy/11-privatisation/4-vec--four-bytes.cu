// lazy: privatisation/4-vec
// expect: gate global_load_lane_bytes >= 250 * global_load_requests
// Four bytes per load, where sixteen are possible.
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
  for (int v = first; v < n / 4; v += all) {
    const unsigned bytes = reinterpret_cast<const unsigned*>(data)[v];
    count(mine, bytes);
  }
  for (int i = n / 4 * 4 + first; i < n; i += all) atomicAdd(&mine[data[i]], 1);  // at most 3
  __syncthreads();
  const int count = mine[threadIdx.x];
  if (count != 0) atomicAdd(&bins[threadIdx.x], count);
}

void histogram(const unsigned char* data, int* bins, int n) {
  cudaMemset(bins, 0, 256 * sizeof(int));
  if (n == 0) return;
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int wanted = (n / 4 + threads) / threads;
  const int most = 8 * sms;  // 8 blocks of 256 threads fill an SM
  histogram_kernel<<<min(wanted, most), threads>>>(data, bins, n);
}
