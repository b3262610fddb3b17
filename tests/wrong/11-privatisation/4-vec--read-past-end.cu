// wrong: privatisation/4-vec
// mistake: Rounding the number of vectors up reads bytes past the end. Round down, and take the rest one by one.
// expect: finding out_of_bounds
// How often each byte value occurs: 16 bytes per load, a copy of the counts a block.
constexpr int threads = 256;

__device__ void count(int* mine, unsigned word) {
  for (int k = 0; k < 4; ++k) atomicAdd(&mine[(word >> 8 * k) & 255], 1);
}

__global__ void histogram_kernel(const unsigned char* data, int* bins, int n) {
  __shared__ int mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  const int first = blockIdx.x * threads + threadIdx.x, all = gridDim.x * threads;
  for (int v = first; v < (n + 15) / 16; v += all) {
    const uint4 bytes = reinterpret_cast<const uint4*>(data)[v];
    count(mine, bytes.x);
    count(mine, bytes.y);
    count(mine, bytes.z);
    count(mine, bytes.w);
  }
  __syncthreads();
  const int count = mine[threadIdx.x];
  if (count != 0) atomicAdd(&bins[threadIdx.x], count);
}

void histogram(const unsigned char* data, int* bins, int n) {
  cudaMemset(bins, 0, 256 * sizeof(int));
  if (n == 0) return;
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int wanted = (n / 16 + threads) / threads, most = 8 * sms;  // 8 blocks of 256 fill an SM
  histogram_kernel<<<wanted < most ? wanted : most, threads>>>(data, bins, n);
}
