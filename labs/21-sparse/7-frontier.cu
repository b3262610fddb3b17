// Breadth-first search: the number of edges from a source to each vertex, one launch per level.
// A flag per vertex marks the frontier: the vertices that the level before has found.
// Bound by the number of levels: each looks at all flags, and most threads find nothing to do.
constexpr int threads = 128;

__global__ void clear_kernel(int* distance, int vertices, char* frontier, int source) {
  const int v = blockIdx.x * threads + threadIdx.x;
  if (v >= vertices) return;
  distance[v] = v == source ? 0 : -1;
  frontier[v] = v == source;
}

// TODO: instead of setting a flag, put the vertex into a queue, and start threads for the queue.
__global__ void level_kernel(const int* first_edge, const int* target, int* distance, int vertices,
                             int level, const char* frontier, char* next, int* found) {
  const int v = blockIdx.x * threads + threadIdx.x;
  if (v >= vertices || !frontier[v]) return;
  const int end = first_edge[v + 1];
  for (int e = first_edge[v]; e < end; ++e) {
    const int to = target[e];
    // One of the threads that reach a vertex finds -1.
    if (atomicCAS(&distance[to], -1, level + 1) == -1) {
      next[to] = 1;
      *found = 1;
    }
  }
}

void bfs(const int* first_edge, const int* target, int* distance, int vertices, int source) {
  if (vertices == 0) return;
  char* frontier;
  char* next;
  int* found;
  cudaMalloc(&frontier, vertices);
  cudaMalloc(&next, vertices);
  cudaMalloc(&found, sizeof(int));
  const int blocks = (vertices + threads - 1) / threads;
  clear_kernel<<<blocks, threads>>>(distance, vertices, frontier, source);
  int more = 1;
  for (int level = 0; more; ++level) {
    cudaMemset(found, 0, sizeof(int));
    cudaMemset(next, 0, vertices);
    level_kernel<<<blocks, threads>>>(first_edge, target, distance, vertices, level, frontier, next,
                                      found);
    // After an error the flag would never become 0.
    if (cudaMemcpy(&more, found, sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) break;
    char* const full = next;
    next = frontier;
    frontier = full;
  }
  cudaFree(frontier);
  cudaFree(next);
  cudaFree(found);
}
