// unconventional: first-launch/3-bounds
__global__ void number_kernel(int* out, int n) {
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  const int i = blockIdx.x * (blockDim.x * blockDim.y) + t;
  if (i < n) __stcs(&out[i], i);
}
void number(int* out, int n) {
  if (n == 0) return;
  const dim3 block(16, 16);
  number_kernel<<<(n + 255) / 256, block>>>(out, n);
}
