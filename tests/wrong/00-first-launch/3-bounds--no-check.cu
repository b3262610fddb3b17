// wrong: first-launch/3-bounds
// mistake: The grid is rounded up, so the last block has threads without an element. They write past the end. Guard the store with if (i < n).
// expect: finding out_of_bounds line 8
constexpr int threads = 256;

__global__ void number_kernel(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i;
}

void number(int* out, int n) {
  if (n == 0) return;
  number_kernel<<<(n + threads - 1) / threads, threads>>>(out, n);
}
