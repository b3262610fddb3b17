// unconventional: sparse/7-frontier
// The host reads the size of the queue in managed memory. Visited vertices are bits, set by
// atomicOr.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int threads = 128, lanes = 8;
__global__ void init(int* distance, unsigned* seen, int vertices, int* queue, int source) {
  const int v = blockIdx.x * threads + threadIdx.x;
  if (v < vertices) distance[v] = v == source ? 0 : -1;
  if (v < (vertices + 31) / 32) seen[v] = v == source / 32 ? 1u << source % 32 : 0u;
  if (v == 0) queue[0] = source;
}
__global__ void level_kernel(const int* first_edge, const int* target, int* distance,
                             unsigned* seen, int level, const int* frontier, int size, int* next,
                             int* next_size) {
  const int i = (blockIdx.x * threads + threadIdx.x) / lanes;
  if (i >= size) return;
  const int v = frontier[i], end = first_edge[v + 1];
  for (int e = first_edge[v] + threadIdx.x % lanes; e < end; e += lanes) {
    const int to = target[e];
    const unsigned bit = 1u << to % 32;
    if (atomicOr(&seen[to / 32], bit) & bit) continue;
    distance[to] = level + 1;
    const auto active = cg::coalesced_threads();
    int base = 0;
    if (active.thread_rank() == 0) base = atomicAdd(next_size, int(active.size()));
    next[active.shfl(base, 0) + active.thread_rank()] = to;
  }
}
void bfs(const int* first_edge, const int* target, int* distance, int vertices, int source) {
  if (!vertices) return;
  int *a, *b, *count;
  unsigned* seen;
  cudaMalloc(&a, vertices * sizeof(int));
  cudaMalloc(&b, vertices * sizeof(int));
  cudaMalloc(&seen, (vertices + 31) / 32 * sizeof(unsigned));
  cudaMallocManaged(&count, sizeof(int));
  init<<<(vertices + threads - 1) / threads, threads>>>(distance, seen, vertices, a, source);
  cudaDeviceSynchronize();
  *count = 1;
  for (int level = 0; *count > 0; ++level) {
    const int size = *count;
    *count = 0;
    level_kernel<<<(size * lanes + threads - 1) / threads, threads>>>(
        first_edge, target, distance, seen, level, a, size, b, count);
    if (cudaDeviceSynchronize() != cudaSuccess) break;
    int* t = a;
    a = b;
    b = t;
  }
  cudaFree(a);
  cudaFree(b);
  cudaFree(seen);
  cudaFree(count);
}
