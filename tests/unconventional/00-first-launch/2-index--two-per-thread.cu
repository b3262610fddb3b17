// unconventional: first-launch/2-index
__global__ void number_kernel(int* out, int n) {
  const int i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i;
  out[i + blockDim.x] = i + blockDim.x;
}

void number(int* out, int n) {
  if (n > 0) number_kernel<<<n / 256, 128>>>(out, n);
}
