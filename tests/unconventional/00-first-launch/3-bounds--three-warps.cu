// unconventional: first-launch/3-bounds
// Blocks of 96 threads, which is no power of 2: more blocks start.
__global__ void number_kernel(int* out, int n) {
  if (const int i = blockIdx.x * blockDim.x + threadIdx.x; i < n) out[i] = i;
}

void number(int* out, int n) {
  if (n == 0) return;
  number_kernel<<<(n - 1) / 96 + 1, 96>>>(out, n);
}
