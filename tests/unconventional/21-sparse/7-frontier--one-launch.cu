// unconventional: sparse/7-frontier
// A cooperative launch goes through all levels with a queue and a grid barrier.
#include <cooperative_groups.h>
constexpr int threads = 128;

constexpr int lanes = 8;
__device__ int sizes[3];

__global__ void bfs_kernel(const int* first_edge, const int* target, int* distance, int vertices,
                           int source, int* frontier, int* next) {
  auto grid = cooperative_groups::this_grid();
  const int first = blockIdx.x * threads + threadIdx.x, stride = gridDim.x * threads;
  for (int v = first; v < vertices; v += stride) distance[v] = v == source ? 0 : -1;
  if (first == 0) {
    frontier[0] = source;
    sizes[0] = 1;
    sizes[1] = 0;
  }
  grid.sync();
  for (int level = 0;; ++level) {
    const int size = sizes[level % 3];
    if (size == 0) return;
    if (first == 0) sizes[(level + 2) % 3] = 0;
    for (int i = first / lanes; i < size; i += stride / lanes) {
      const int v = frontier[i];
      for (int e = first_edge[v] + threadIdx.x % lanes; e < first_edge[v + 1]; e += lanes)
        if (atomicCAS(&distance[target[e]], -1, level + 1) == -1)
          next[atomicAdd(&sizes[(level + 1) % 3], 1)] = target[e];
    }
    grid.sync();
    int* const full = next;
    next = frontier;
    frontier = full;
  }
}

void bfs(const int* first_edge, const int* target, int* distance, int vertices, int source) {
  if (vertices == 0) return;
  int *frontier, *next;
  cudaMalloc(&frontier, vertices * sizeof(int));
  cudaMalloc(&next, vertices * sizeof(int));
  int blocks = 132;
  void* args[] = {&first_edge, &target, &distance, &vertices, &source, &frontier, &next};
  cudaLaunchCooperativeKernel((void*)bfs_kernel, blocks, threads, args, 0, 0);
  cudaFree(frontier);
  cudaFree(next);
}
