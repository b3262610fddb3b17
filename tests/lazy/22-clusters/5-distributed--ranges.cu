// lazy: clusters/5-distributed
// expect: gate global_load_lane_bytes <= 1.1 * 4 * n
// Each of 8 blocks has a range of the values, and loads all samples of its group to find those in it.
constexpr int threads = 1024, ranges = 8, most_bins = 8192;

__global__ void histogram_kernel(const int* data, int* bins, int n, int values) {
  __shared__ int mine[most_bins];
  const int first = blockIdx.x % ranges * most_bins, group = blockIdx.x / ranges;
  for (int b = threadIdx.x; b < most_bins; b += threads) mine[b] = 0;
  __syncthreads();
  for (int i = group * threads + threadIdx.x; i < n; i += gridDim.x / ranges * threads) {
    const int place = data[i] - first;
    if (place >= 0 && place < most_bins) atomicAdd(&mine[place], 1);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < most_bins; b += threads)
    if (mine[b] != 0) atomicAdd(&bins[first + b], mine[b]);
}

void histogram(const int* data, int* bins, int n, int values) {
  cudaMemset(bins, 0, values * sizeof(int));
  if (n == 0) return;
  histogram_kernel<<<128, threads>>>(data, bins, n, values);
}
