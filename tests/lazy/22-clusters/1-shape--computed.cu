// lazy: clusters/1-shape
// expect: gate cluster_blocks == cluster_size
// The numbers are computed from blockIdx. They are right, and no block is in a cluster.
constexpr int threads = 32, cluster_size = 4;

__global__ void shape_kernel(int* rank, int* number, int n) {
  if (blockIdx.x >= n || threadIdx.x != 0) return;
  rank[blockIdx.x] = blockIdx.x % cluster_size;
  number[blockIdx.x] = blockIdx.x / cluster_size;
}

void shape(int* rank, int* number, int n) {
  if (n == 0) return;
  shape_kernel<<<n, threads>>>(rank, number, n);
}
