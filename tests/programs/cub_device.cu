// CUB's device-wide algorithms, by their stand-in: sums, extrema, scans, radix sorts and choices.
#include <cub/cub.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

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
  void* storage = nullptr;
  size_t bytes = 0;
  cub::DeviceReduce::Sum(storage, bytes, in, count, n);
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
  for (void* p : {(void*)in, (void*)out, (void*)count, storage, (void*)k, (void*)sorted}) cudaFree(p);
}
