// CUB's device-wide algorithms, by their stand-in: sums, extrema, scans, radix sorts, choices and histograms.
#include <cub/cub.cuh>

#include <cstdio>

struct NotNegative {
  __host__ __device__ bool operator()(int v) const { return v >= 0; }
};

int main() {
  const int n = 777;
  int h[n], sum = 0, sum_700 = 0;
  for (int i = 0; i < n; ++i) {
    h[i] = i * 7919 % 1009 - 500;
    sum += h[i];
    if (i <= 700) sum_700 += h[i];
  }
  int *in, *out, *count;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMalloc(&count, sizeof(int));
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  int *count_of_bins, *levels;
  cudaMalloc(&count_of_bins, 5 * sizeof(int));
  cudaMalloc(&levels, 4 * sizeof(int));
  void* storage = nullptr;
  size_t bytes = 0;
  cub::DeviceReduce::Sum(storage, bytes, in, count, n);
  bytes = 1 << 20;  // enough for all that follow
  cudaMalloc(&storage, bytes);
  int r = 0;
  cub::DeviceReduce::Sum(storage, bytes, in, count, n);
  cudaMemcpy(&r, count, sizeof r, cudaMemcpyDeviceToHost);
  printf("sum %d\n", r == sum);
  cub::DeviceReduce::Max(storage, bytes, in, count, n);
  cudaMemcpy(&r, count, sizeof r, cudaMemcpyDeviceToHost);
  printf("largest %d\n", r);
  cub::DeviceScan::InclusiveSum(storage, bytes, in, out, n);
  cudaMemcpy(&r, out + 700, sizeof r, cudaMemcpyDeviceToHost);
  printf("scan %d\n", r == sum_700);
  cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, n);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  bool rises = true;
  for (int i = 1; i < n; ++i) rises = rises && h[i - 1] <= h[i];
  printf("rises %d from %d\n", rises, h[0]);
  cub::DeviceSelect::If(storage, bytes, out, in, count, n, NotNegative());
  cudaMemcpy(&r, count, sizeof r, cudaMemcpyDeviceToHost);
  int not_negative = 0;
  for (int v : h) not_negative += v >= 0;
  printf("selected %d\n", r == not_negative);
  float keys[4] = {1.5f, -2.0f, -0.5f, 3.0f};
  float *k, *sorted;
  cudaMalloc(&k, sizeof keys);
  cudaMalloc(&sorted, sizeof keys);
  cudaMemcpy(k, keys, sizeof keys, cudaMemcpyHostToDevice);
  cub::DeviceRadixSort::SortKeysDescending(storage, bytes, k, sorted, 4);
  cudaMemcpy(keys, sorted, sizeof keys, cudaMemcpyDeviceToHost);
  printf("%g %g %g %g\n", keys[0], keys[1], keys[2], keys[3]);
  cub::DoubleBuffer<int> both(out, in);
  cub::DeviceRadixSort::SortKeysDescending(storage, bytes, both, n);
  cudaMemcpy(&r, both.Current(), sizeof r, cudaMemcpyDeviceToHost);
  cub::DeviceSelect::Unique(storage, bytes, both.Current(), both.Alternate(), count, n);
  int kinds = 0, bins[5], ranges[3], bounds[4] = {-500, -100, 0, 500};
  cudaMemcpy(&kinds, count, sizeof kinds, cudaMemcpyDeviceToHost);
  printf("from %d, %d kinds\n", r, kinds);
  cub::DeviceHistogram::HistogramEven(storage, bytes, both.Current(), count_of_bins, 6, -500, 500, n);
  cudaMemcpy(bins, count_of_bins, sizeof bins, cudaMemcpyDeviceToHost);
  cudaMemcpy(levels, bounds, sizeof bounds, cudaMemcpyHostToDevice);
  cub::DeviceHistogram::HistogramRange(storage, bytes, both.Current(), count_of_bins, 4, levels, n);
  cudaMemcpy(ranges, count_of_bins, sizeof ranges, cudaMemcpyDeviceToHost);
  bool as_counted = true;
  for (int b = 0; b < 5; ++b) {
    int expected = 0;
    for (int v : h) expected += v >= -500 + 200 * b && v < -300 + 200 * b;
    as_counted = as_counted && bins[b] == expected;
  }
  for (int b = 0; b < 3; ++b) {
    int expected = 0;
    for (int v : h) expected += v >= bounds[b] && v < bounds[b + 1];
    as_counted = as_counted && ranges[b] == expected;
  }
  printf("histograms %d\n", as_counted);
  for (void* p : {(void*)count_of_bins, (void*)levels}) cudaFree(p);
  for (void* p : {(void*)in, (void*)out, (void*)count, storage, (void*)k, (void*)sorted}) cudaFree(p);
}
