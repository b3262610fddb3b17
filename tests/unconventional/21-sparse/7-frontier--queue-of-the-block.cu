// unconventional: sparse/7-frontier
// Each block gathers what it finds in shared memory, and takes its places by one addition.
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
  constexpr int most = 1024;  // what does not fit goes to the queue at once
  __shared__ int found[most];
  __shared__ int count, place;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  const int v = i < size ? frontier[i] : 0;
  const int end = i < size ? first_edge[v + 1] : 0;
  for (int e = i < size ? first_edge[v] + threadIdx.x % lanes : 0; e < end; e += lanes) {
    const int to = target[e];
    if (atomicCAS(&distance[to], -1, level + 1) != -1) continue;
    const int at = atomicAdd(&count, 1);
    if (at < most) {
      found[at] = to;
    } else {
      next[atomicAdd(next_size, 1)] = to;
    }
  }
  __syncthreads();
  const int all = min(count, most);
  if (threadIdx.x == 0) place = atomicAdd(next_size, all);
  __syncthreads();
  for (int at = threadIdx.x; at < all; at += threads) next[place + at] = found[at];
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
    cudaMemcpy(&size, next_size, sizeof(int), cudaMemcpyDeviceToHost);
    int* const full = next;
    next = frontier;
    frontier = full;
  }
  cudaFree(frontier);
  cudaFree(next);
  cudaFree(next_size);
}
