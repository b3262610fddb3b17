// unconventional: sparse/7-frontier
// Each level counts in a word of its own, so one memset serves all levels.
#include <cooperative_groups.h>

#include <vector>
namespace cg = cooperative_groups;

__global__ void start_kernel(int* distance, int vertices, int* queue, int source, int* sizes,
                             int levels) {
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < max(vertices, levels);
       v += gridDim.x * blockDim.x) {
    if (v < vertices) distance[v] = v == source ? 0 : -1;
    if (v < levels) sizes[v] = v == 0;
    if (v == 0) *queue = source;
  }
}

__global__ void level_kernel(const int* __restrict__ first_edge, const int* __restrict__ target,
                             int* distance, const int* from, int count, int* to, int* size,
                             int level) {
  const auto group = cg::tiled_partition<8>(cg::this_thread_block());
  const int at = blockIdx.x * group.meta_group_size() + group.meta_group_rank();
  if (at >= count) return;
  const int v = from[at];
  const int end = first_edge[v + 1];
  for (int e = first_edge[v] + group.thread_rank(); e < end; e += 8) {
    const int w = target[e];
    if (*static_cast<volatile int*>(distance + w) == -1 &&
        atomicCAS(distance + w, -1, level + 1) == -1) {
      const auto found = cg::coalesced_threads();
      int place = 0;
      if (found.thread_rank() == 0) place = atomicAdd(size, int(found.size()));
      to[found.shfl(place, 0) + found.thread_rank()] = w;
    }
  }
}

void bfs(const int* first_edge, const int* target, int* distance, int vertices, int source) {
  if (vertices == 0) return;
  int* memory = nullptr;
  cudaMalloc(&memory, sizeof(int) * (3 * size_t(vertices) + 2));
  int* queues[2] = {memory, memory + vertices};
  int* sizes = memory + 2 * size_t(vertices);
  start_kernel<<<(vertices + 256) / 256, 256>>>(distance, vertices, queues[0], source, sizes,
                                                vertices + 2);
  int count = 1;
  for (int level = 0; count > 0; ++level) {
    level_kernel<<<(count + 15) / 16, 128>>>(first_edge, target, distance, queues[level % 2], count,
                                             queues[1 - level % 2], sizes + level + 1, level);
    if (cudaMemcpy(&count, sizes + level + 1, sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess)
      break;
  }
  cudaFree(memory);
}
