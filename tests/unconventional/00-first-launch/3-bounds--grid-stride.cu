// unconventional: first-launch/3-bounds
__global__ void number_kernel(int* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = i;
}

void number(int* out, int n) {
  if (n > 0) number_kernel<<<(n + 255) / 256, 128>>>(out, n);  // two per thread
}
