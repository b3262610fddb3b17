// lazy: privatisation/5-runs
// expect: gate atomics <= 0.3 * n / 32
// Runs are counted within a word of 4 bytes only: a quarter of the additions is left, however long
// the runs are.
constexpr int threads = 256;

__device__ void count(int* mine, unsigned word) {
  unsigned value = word & 255;
  int length = 1;
  for (int k = 1; k < 4; ++k) {
    const unsigned next = (word >> (8 * k)) & 255;
    if (next != value) {
      atomicAdd(&mine[value], length);
      value = next;
      length = 0;
    }
    ++length;
  }
  atomicAdd(&mine[value], length);
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
  for (int i = n / 16 * 16 + first; i < n; i += all) atomicAdd(&mine[data[i]], 1);
  __syncthreads();
  const int count = mine[threadIdx.x];
  if (count != 0) atomicAdd(&bins[threadIdx.x], count);
}

void histogram(const unsigned char* data, int* bins, int n) {
  cudaMemset(bins, 0, 256 * sizeof(int));
  if (n == 0) return;
  histogram_kernel<<<min((n / 16 + threads) / threads, 1056), threads>>>(data, bins, n);
}
