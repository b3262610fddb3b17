// CUB's primitives in blocks that are not whole warps, and in groups of lanes that go different ways.
#include <cstdio>
#include <cub/cub.cuh>
template <int N>
__global__ void block(int* out) {
  using Reduce = cub::BlockReduce<int, N>;
  using Scan = cub::BlockScan<int, N>;
  __shared__ typename Reduce::TempStorage r;
  __shared__ typename Scan::TempStorage s;
  const int sum = Reduce(r).Sum(int(threadIdx.x) + 1);
  int scanned, total;
  Scan(s).InclusiveSum(1, scanned, total);
  if (threadIdx.x == N - 1) out[1] = scanned, out[2] = total;
  if (threadIdx.x == 0) out[0] = sum;
}
__global__ void warps(int* out) {
  using Reduce = cub::WarpReduce<int, 8>;
  using Scan = cub::WarpScan<int, 8>;
  __shared__ typename Reduce::TempStorage r[5];
  __shared__ typename Scan::TempStorage s[5];
  if (threadIdx.x < 20 && blockDim.x == 20) {  // fewer lanes than a warp: those beyond `valid` don't exist
    using Whole = cub::WarpReduce<int>;
    using Before = cub::WarpScan<int>;
    __shared__ typename Whole::TempStorage whole;
    __shared__ typename Before::TempStorage before;
    const int all = Whole(whole).Sum(1, 20);
    int rank;
    Before(before).ExclusiveSum(1, rank);
    if (threadIdx.x == 0) out[0] = all;
    if (threadIdx.x == 19) out[1] = rank;
    return;
  }
  const int group = threadIdx.x / 8;
  if (group == 1) return;  // groups of one warp are independent of each other
  const int sum = Reduce(r[group]).Sum(int(threadIdx.x));
  int scanned;
  Scan(s[group]).InclusiveSum(1, scanned);
  if (threadIdx.x % 8 == 0) out[group] = sum;
  if (threadIdx.x % 8 == 7) out[5 + group] = scanned;
}
template <int N>
void run() {
  int* out;
  cudaMallocManaged(&out, 3 * sizeof(int));
  block<N><<<1, N>>>(out);
  cudaDeviceSynchronize();
  printf("%d: %d %d %d\n", N, out[0], out[1], out[2]);
  cudaFree(out);
}
int main() {
  run<20>();
  run<48>();
  run<96>();
  run<100>();
  int* out;
  cudaMallocManaged(&out, 10 * sizeof(int));
  for (int i = 0; i < 10; ++i) out[i] = 0;
  warps<<<1, 40>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 10; ++i) printf("%d ", out[i]);
  warps<<<1, 20>>>(out);
  cudaDeviceSynchronize();
  printf("\n%d %d\n", out[0], out[1]);
  cudaFree(out);
}
