// wrong: coarsening/1-two
// mistake: Elements 2 * i and 2 * i + 1 in one thread make every load of a warp touch twice the sectors. Take the second element blockDim.x further on.
// expect: gate_failed gate global_load_sectors <= 0.32 * n + 16
constexpr int threads = 256;

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) c[i] = a[i] + b[i];
  const int j = i + 1;
  if (j < n) c[j] = a[j] + b[j];
}

void add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  constexpr int per_block = 2 * threads;
  add_kernel<<<(n + per_block - 1) / per_block, threads>>>(a, b, c, n);
}
