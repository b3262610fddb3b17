// CUB's block primitives: reduce, scan, radix sort, load and store, in each of their algorithms.
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>

#include <cstdio>
#include <vector>

constexpr int threads = 128, items = 4, tile = threads * items;

template <cub::BlockReduceAlgorithm Algorithm>
__global__ void reduce(const int* in, int* out) {
  using Reduce = cub::BlockReduce<int, threads, Algorithm>;
  __shared__ typename Reduce::TempStorage storage;
  int sum = Reduce(storage).Sum(in[blockIdx.x * threads + threadIdx.x]);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

template <cub::BlockScanAlgorithm Algorithm>
__global__ void scan(const int* in, int* out) {
  using Load = cub::BlockLoad<int, threads, items, cub::BLOCK_LOAD_TRANSPOSE>;
  using Scan = cub::BlockScan<int, threads, Algorithm>;
  using Store = cub::BlockStore<int, threads, items, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Scan::TempStorage scan;
    typename Store::TempStorage store;
  } storage;
  int v[items], total;
  Load(storage.load).Load(in + blockIdx.x * tile, v);
  __syncthreads();
  Scan(storage.scan).ExclusiveSum(v, v, total);
  __syncthreads();
  Store(storage.store).Store(out + blockIdx.x * tile, v);
}

__global__ void sort(const unsigned* in, unsigned* out) {
  using Load = cub::BlockLoad<unsigned, threads, items, cub::BLOCK_LOAD_VECTORIZE>;
  using Sort = cub::BlockRadixSort<unsigned, threads, items>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Sort::TempStorage sort;
  } storage;
  unsigned v[items];
  Load(storage.load).Load(in + blockIdx.x * tile, v);
  __syncthreads();
  Sort(storage.sort).Sort(v);
  cub::StoreDirectBlocked(threadIdx.x, out + blockIdx.x * tile, v);
}

int main() {
  const int blocks = 3, n = blocks * tile;
  std::vector<int> h(n), r(n);
  for (int i = 0; i < n; ++i) h[i] = (i * 37) % 101;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  auto back = [&](int count) { cudaMemcpy(r.data(), out, count * sizeof(int), cudaMemcpyDeviceToHost); };

  reduce<cub::BLOCK_REDUCE_WARP_REDUCTIONS><<<blocks, threads>>>(in, out);
  back(blocks);
  printf("sums %d %d %d\n", r[0], r[1], r[2]);
  reduce<cub::BLOCK_REDUCE_RAKING><<<blocks, threads>>>(in, out);
  back(blocks);
  printf("sums %d %d %d\n", r[0], r[1], r[2]);
  scan<cub::BLOCK_SCAN_RAKING><<<blocks, threads>>>(in, out);
  back(n);
  printf("scan %d %d %d\n", r[1], r[tile - 1], r[n - 1]);
  scan<cub::BLOCK_SCAN_WARP_SCANS><<<blocks, threads>>>(in, out);
  back(n);
  printf("scan %d %d %d\n", r[1], r[tile - 1], r[n - 1]);
  sort<<<blocks, threads>>>((const unsigned*)in, (unsigned*)out);
  back(n);
  bool sorted = true;
  for (int i = 1; i < n; ++i) sorted &= i % tile == 0 || r[i - 1] <= r[i];
  printf("sorted %d, from %d to %d\n", sorted, r[0], r[tile - 1]);
  cudaFree(in);
  cudaFree(out);
}
