// lazy: sparse/7-frontier
// expect: gate time_us <= 1.5 * reference(self)
// One block per level looks at all flags: few threads, many looks.
constexpr int threads = 128;

__global__ void clear_kernel(int* distance, int vertices, char* frontier, int source) {
  const int v = blockIdx.x * threads + threadIdx.x;
  if (v >= vertices) return;
  distance[v] = v == source ? 0 : -1;
  frontier[v] = v == source;
}

__global__ void level_kernel(const int* first_edge, const int* target, int* distance, int vertices,
                             int level, const char* frontier, char* next, int* found) {
  for (int v = blockIdx.x * threads + threadIdx.x; v < vertices; v += gridDim.x * threads) {
  if (!frontier[v]) continue;
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
    level_kernel<<<8, threads>>>(first_edge, target, distance, vertices, level, frontier, next,
                                      found);
    cudaMemcpy(&more, found, sizeof(int), cudaMemcpyDeviceToHost);
    char* const full = next;
    next = frontier;
    frontier = full;
  }
  cudaFree(frontier);
  cudaFree(next);
  cudaFree(found);
}
