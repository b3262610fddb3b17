// CUB's primitives for blocks and warps on several types: scans with an operation, pairs of keys and values, descending keys,
// groups of lanes. Blocks are whole warps; cub_part_warps.cu has others.
#include <cstdio>
#include <cub/cub.cuh>

struct Largest {
  __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};

__global__ void scans(const int* in, int* most, double* sums, int n) {
  using Scan = cub::BlockScan<int, 96>;
  using Doubles = cub::BlockScan<double, 96>;
  __shared__ typename Scan::TempStorage storage;
  __shared__ typename Doubles::TempStorage doubles;
  int largest, total;
  Scan(storage).InclusiveScan(in[threadIdx.x], largest, Largest(), total);
  most[threadIdx.x] = largest;
  double v[2] = {in[threadIdx.x] * 0.5, 0.25}, all;
  Doubles(doubles).ExclusiveSum(v, v, all);
  sums[2 * threadIdx.x] = v[0];
  sums[2 * threadIdx.x + 1] = v[1];
  if (threadIdx.x == 0) most[n] = total, sums[2 * n] = all;
}

__global__ void sort(float* keys, int* values) {
  using Load = cub::BlockLoad<float, 64, 2, cub::BLOCK_LOAD_STRIPED>;
  using Sort = cub::BlockRadixSort<float, 64, 2, int>;
  using Store = cub::BlockStore<float, 64, 2>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Sort::TempStorage sort;
    typename Store::TempStorage store;
  } storage;
  float k[2];
  Load(storage.load).Load(keys, k, 100, -1000.0f);
  int v[2] = {int(threadIdx.x), int(threadIdx.x) + 64};
  __syncthreads();
  Sort(storage.sort).SortDescending(k, v);
  __syncthreads();
  Store(storage.store).Store(keys, k, 100);
  values[2 * threadIdx.x] = v[0];
  values[2 * threadIdx.x + 1] = v[1];
}

__global__ void groups(const int* in, int* sums, int* scans) {
  using Reduce = cub::WarpReduce<int, 8>;
  using Scan = cub::WarpScan<int, 16>;
  __shared__ typename Reduce::TempStorage reduce[8];
  __shared__ typename Scan::TempStorage scan[4];
  const int sum = Reduce(reduce[threadIdx.x / 8]).Sum(in[threadIdx.x]);
  if (threadIdx.x % 8 == 0) sums[threadIdx.x / 8] = sum;
  int before, total;
  Scan(scan[threadIdx.x / 16]).ExclusiveSum(in[threadIdx.x], before, total);
  scans[threadIdx.x] = before + 1000 * total;
}

int main() {
  int *in, *most, *values, *sums, *lanes;
  double* doubles;
  float* keys;
  cudaMallocManaged(&in, 96 * sizeof(int));
  cudaMallocManaged(&most, 97 * sizeof(int));
  cudaMallocManaged(&doubles, 193 * sizeof(double));
  cudaMallocManaged(&keys, 128 * sizeof(float));
  cudaMallocManaged(&values, 128 * sizeof(int));
  cudaMallocManaged(&sums, 8 * sizeof(int));
  cudaMallocManaged(&lanes, 64 * sizeof(int));
  for (int i = 0; i < 96; ++i) in[i] = (i * 37 + 11) % 101;
  for (int i = 0; i < 128; ++i) keys[i] = (i * 53 % 100) * 0.5f - 20;
  scans<<<1, 96>>>(in, most, doubles, 96);
  sort<<<1, 64>>>(keys, values);
  groups<<<1, 64>>>(in, sums, lanes);
  cudaDeviceSynchronize();
  printf("%d %d %d %d\n", most[0], most[5], most[95], most[96]);
  printf("%g %g %g %g\n", doubles[0], doubles[65], doubles[191], doubles[192]);
  printf("%g %g %g %g, %d %d %d\n", keys[0], keys[1], keys[98], keys[99], values[0], values[1], values[99]);
  printf("%d %d %d, %d %d\n", sums[0], sums[3], sums[7], lanes[17], lanes[63]);
  cudaFree(in);
  cudaFree(most);
  cudaFree(doubles);
  cudaFree(keys);
  cudaFree(values);
  cudaFree(sums);
  cudaFree(lanes);
}
