// Clocks beside cooperative groups and the asynchronous copies of three headers, in an order that mixes them.
#include <chrono>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cstdint>
#include <cstdio>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <ctime>
#include <time.h>

namespace cg = cooperative_groups;

__global__ void sum(const int* in, uint64_t* out) {
  __shared__ int tile[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&ready, block.size());
  cg::memcpy_async(block, tile, in, sizeof tile);
  cg::wait(block);
  ready.arrive_and_wait();
  const auto warp = cg::tiled_partition<32>(block);
  const int total = cg::reduce(warp, tile[block.thread_rank()], cg::plus<int>());
  if (warp.thread_rank() == 0) {
    cuda::atomic_ref<uint64_t, cuda::thread_scope_device> all(*out);
    all.fetch_add(uint64_t(total));
  }
}

int main() {
  const auto start = std::chrono::steady_clock::now();
  const time_t now = time(nullptr);
  int host[64], *in;
  uint64_t total = 0, *out;
  for (int i = 0; i < 64; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof total);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof total);
  sum<<<1, 64>>>(in, out);
  cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  printf("%d %s\n", int(total), took.count() >= 0 && now > 0 ? "in time" : "before time");
}
