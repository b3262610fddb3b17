// How often each byte value occurs: 16 bytes per load, one copy of the counts per block. Runs of
// equal bytes are counted in a register first.
// Bound by latency at the default size: each byte is compared with the one before.
constexpr int threads = 256;

// The current run of a thread: added to its bin when it ends.
struct Run {
  unsigned value = 0;
  int length = 0;
};

__device__ void flush(int* mine, Run& run) {
  if (run.length > 0) atomicAdd(&mine[run.value], run.length);
  run.length = 0;
}

__device__ void count(int* mine, Run& run, unsigned word) {
  for (int k = 0; k < 4; ++k) {
    const unsigned value = (word >> (8 * k)) & 255;
    if (value != run.value) flush(mine, run);
    run.value = value;
    ++run.length;
  }
}

__global__ void histogram_kernel(const unsigned char* data, int* bins, int n) {
  __shared__ int mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  const int first = blockIdx.x * threads + threadIdx.x;
  const int all = gridDim.x * threads;
  Run run;
  for (int v = first; v < n / 16; v += all) {
    const uint4 bytes = reinterpret_cast<const uint4*>(data)[v];
    count(mine, run, bytes.x);
    count(mine, run, bytes.y);
    count(mine, run, bytes.z);
    count(mine, run, bytes.w);
  }
  flush(mine, run);  // the last run has no end of its own
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
