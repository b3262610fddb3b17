// wrong: privatisation/3-few-blocks
// mistake: The stride is one block's threads, not the grid's: blocks count the same bytes again.
// expect: wrong
// in grading: timeout (each of a thousand blocks does most of the work)
// How often each byte value occurs: a grid of fixed size, each block with a copy of the counts.
constexpr int threads = 256;

__global__ void histogram_kernel(const unsigned char* data, int* bins, int n) {
  __shared__ int mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += threads)
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
  const int wanted = (n + threads - 1) / threads, most = 8 * sms;  // 8 blocks of 256 fill an SM
  histogram_kernel<<<wanted < most ? wanted : most, threads>>>(data, bins, n);
}
