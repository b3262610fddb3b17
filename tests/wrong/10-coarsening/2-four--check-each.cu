// wrong: coarsening/2-four
// mistake: Four elements, and a check for each, so each load waits behind a branch of its own: right, but the instructions that coarsening should save are still there.
// expect: gate_failed gate ptx(setp) <= 0.6 * n / 32
constexpr int threads = 256;
constexpr int each = 4;  // elements per thread
constexpr int per_block = each * threads;

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
  const int start = blockIdx.x * per_block + threadIdx.x;
  for (int k = 0; k < each; ++k) {
    const int i = start + k * threads;
    if (i < n) c[i] = a[i] + b[i];
  }
}

void add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  add_kernel<<<(n + per_block - 1) / per_block, threads>>>(a, b, c, n);
}
