// lazy: first-launch/2-index
// expect: gate tail_idle <= 0.8
// Blocks for all of n are launched. Sixteen of them write everything, and the others end.
__global__ void number_kernel(int* out, int n) {
  if (blockIdx.x >= 16) return;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 16 * blockDim.x) out[i] = i;
}

void number(int* out, int n) {
  if (n > 0) number_kernel<<<(n + 1023) / 1024, 1024>>>(out, n);
}
