// Race, shared, bulk copy: the tile is stored by a bulk copy, which reads through another proxy, with no fence.
#include <cstdio>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void fill(int* out) {
  __shared__ alignas(16) int tile[64];
  tile[threadIdx.x] = int(threadIdx.x);  // other side
  __threadfence_block();  // fix: ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, sizeof tile);  // expect: race // fix: ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, sizeof tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}

int main() {
  int *out, h[64];
  cudaMalloc(&out, sizeof h);
  fill<<<1, 64>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[63]);
  cudaFree(out);
}
