// lazy: sparse/7-frontier
// expect: gate global_load_lane_bytes <= 450 * vertices (vertices=65521)
// No queue: each level reads the flags of all vertices, 16 per load.
__global__ void clear_kernel(int* distance, int vertices, unsigned char* frontier, int source) {
  const int v = blockIdx.x * 128 + threadIdx.x;
  if (v >= vertices) return;
  distance[v] = v == source ? 0 : -1;
  frontier[v] = v == source;
}
__global__ void level_kernel(const int* first_edge, const int* target, int* distance, int vertices, int level, unsigned char* frontier, unsigned char* next, int* found) {
  const int w = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x % 8;
  for (int base = w * 16; base < vertices; base += gridDim.x * blockDim.x / 8 * 16) {
    uint4 f = *(uint4*)(frontier + base);
    if (!(f.x | f.y | f.z | f.w)) continue;
    __syncwarp(0xffu << (threadIdx.x & 24));
    if (lane == 0) *(uint4*)(frontier + base) = make_uint4(0, 0, 0, 0);
    unsigned word[4] = {f.x, f.y, f.z, f.w};
    for (int q = 0; q < 4; ++q) {
      unsigned u = word[q];
      while (u) {
        int b = (__ffs(u) - 1) / 8;
        u &= ~(0xffu << 8 * b);
        int v = base + 4 * q + b;
        int e = first_edge[v] + lane;
        if (e < first_edge[v + 1]) {
          int to = target[e];
          if (atomicCAS(&distance[to], -1, level + 1) == -1) { next[to] = 1; *found = level + 1; }
        }
      }
    }
  }
}
void bfs(const int* first_edge, const int* target, int* distance, int vertices, int source) {
  if (vertices == 0) return;
  unsigned char *frontier, *next; int* found;
  size_t bytes = (vertices + 15) / 16 * 16;
  cudaMalloc(&frontier, bytes); cudaMalloc(&next, bytes); cudaMalloc(&found, 4);
  cudaMemset(frontier, 0, bytes); cudaMemset(next, 0, bytes); cudaMemset(found, 0, 4);
  clear_kernel<<<(vertices + 127) / 128, 128>>>(distance, vertices, frontier, source);
  int more = 1, last = 0;
  for (int level = 0; more; ++level) {
    level_kernel<<<(vertices / 16 * 8 + 128) / 128, 128>>>(first_edge, target, distance, vertices, level, frontier, next, found);
    cudaMemcpy(&last, found, 4, cudaMemcpyDeviceToHost); more = last == level + 1;
    unsigned char* t = next; next = frontier; frontier = t;
  }
  cudaFree(frontier); cudaFree(next); cudaFree(found);
}
