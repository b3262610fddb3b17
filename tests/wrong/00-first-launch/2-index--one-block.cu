// wrong: first-launch/2-index
// mistake: Only elements 0 to 255 are written: threadIdx.x starts at 0 in every block. Launch n / 256 blocks, and add blockIdx.x * blockDim.x.
// expect: wrong
constexpr int threads = 256;

__global__ void number_kernel(int* out, int n) {
  const int i = threadIdx.x;
  out[i] = i;
}

void number(int* out, int n) {
  if (n == 0) return;
  number_kernel<<<n / threads, threads>>>(out, n);
}
