// <cub/cub.cuh>: a block's sum and a warp's prefix sums.
#include <cstdio>
#include <cub/cub.cuh>

__global__ void sums(int* out) {
  using Reduce = cub::BlockReduce<int, 64>;
  using Scan = cub::WarpScan<int>;
  __shared__ typename Reduce::TempStorage block;
  __shared__ typename Scan::TempStorage warp[2];
  const int total = Reduce(block).Sum(int(threadIdx.x));
  int before = 0;
  Scan(warp[threadIdx.x / 32]).ExclusiveSum(1, before);
  if (threadIdx.x == 0) out[0] = total;
  if (threadIdx.x == 63) out[1] = before;
}

int main() {
  int host[2], *out;
  cudaMalloc(&out, sizeof host);
  sums<<<1, 64>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  printf("%d %d\n", host[0], host[1]);
}
