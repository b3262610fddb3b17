// unconventional: clusters/3-sum
// Blocks send their sums by st.async to rank 0, which waits at an mbarrier for their bytes.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int threads = 256, cluster_size = 8;
__global__ void __cluster_dims__(cluster_size, 1, 1) sum_kernel(const float* in, float* out, int n) {
  __shared__ float of_warp[threads / 32];
  __shared__ alignas(8) float sums[cluster_size];
  __shared__ alignas(8) unsigned long long bar;
  auto cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank();
  const unsigned bar_at = unsigned(__cvta_generic_to_shared(&bar));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(bar_at) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    if (rank == 0)
      asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared.b64 s, [%0], %1; }" ::"r"(bar_at), "r"(4 * cluster_size) : "memory");
  }
  cluster.sync();
  const int i = blockIdx.x * threads + threadIdx.x;
  float x = i < n ? in[i] : 0.0f;
  for (int d = 16; d; d >>= 1) x += __shfl_xor_sync(~0u, x, d);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
  __syncthreads();
  if (threadIdx.x == 0) {
    x = 0;
    for (int w = 0; w < threads / 32; ++w) x += of_warp[w];
    unsigned to = unsigned(__cvta_generic_to_shared(sums + rank)), to0, bar0;
    asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(to0) : "r"(to));
    asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(bar0) : "r"(bar_at));
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to0), "r"(__float_as_uint(x)), "r"(bar0) : "memory");
    if (rank == 0) {
      unsigned done = 0;
      while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(bar_at) : "memory");
      float total = 0;
      for (int r = 0; r < cluster_size; ++r) total += sums[r];
      atomicAdd(out, total);
    }
  }
  cluster.sync();
}
void sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads;
  sum_kernel<<<(blocks + cluster_size - 1) / cluster_size * cluster_size, threads>>>(in, out, n);
}
