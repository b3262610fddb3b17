// Breadth-first search: the number of edges from a source to each vertex, one launch per level.
// A queue holds the frontier: the vertices that the level before has found.
// Bound by latency: a level has a few hundred vertices, so each has several lanes, one per edge.
constexpr int threads = 128;
constexpr int lanes = 8;  // per vertex of the frontier

__global__ void clear_kernel(int* distance, int vertices, int* queue, int source) {
  const int v = blockIdx.x * threads + threadIdx.x;
  if (v < vertices) distance[v] = v == source ? 0 : -1;
  if (v == 0) queue[0] = source;
}

__global__ void level_kernel(const int* first_edge, const int* target, int* distance, int level,
                             const int* frontier, int size, int* next, int* next_size) {
  const int i = (blockIdx.x * threads + threadIdx.x) / lanes;
  if (i >= size) return;
  const int v = frontier[i];
  const int end = first_edge[v + 1];
  for (int e = first_edge[v] + threadIdx.x % lanes; e < end; e += lanes) {
    const int to = target[e];
    // One of the threads that reach a vertex finds -1, and queues it.
    if (atomicCAS(&distance[to], -1, level + 1) == -1) next[atomicAdd(next_size, 1)] = to;
  }
}

void bfs(const int* first_edge, const int* target, int* distance, int vertices, int source) {
  if (vertices == 0) return;
  int* frontier;
  int* next;
  int* next_size;
  cudaMalloc(&frontier, vertices * sizeof(int));
  cudaMalloc(&next, vertices * sizeof(int));
  cudaMalloc(&next_size, sizeof(int));
  clear_kernel<<<(vertices + threads - 1) / threads, threads>>>(distance, vertices, frontier,
                                                                source);
  int size = 1;
  for (int level = 0; size > 0; ++level) {
    cudaMemset(next_size, 0, sizeof(int));
    level_kernel<<<(size * lanes + threads - 1) / threads, threads>>>(
        first_edge, target, distance, level, frontier, size, next, next_size);
    // After an error the count would never become 0.
    if (cudaMemcpy(&size, next_size, sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) break;
    int* const full = next;
    next = frontier;
    frontier = full;
  }
  cudaFree(frontier);
  cudaFree(next);
  cudaFree(next_size);
}
