// lazy: first-launch/3-bounds
// expect: gate threads < n + 1024
__global__ void number_kernel(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}

void number(int* out, int n) {
  if (n > 0) number_kernel<<<2 * (n / 256 + 1), 256>>>(out, n);
}
