// wrong: first-launch/2-index
// mistake: There are enough blocks, but each of them writes elements 0 to 255: threadIdx.x starts at 0 in every block. Add blockIdx.x * blockDim.x.
// expect: finding race
constexpr int threads = 256;

__global__ void number_kernel(int* out, int n) {
  const int i = threadIdx.x;
  out[i] = i;
}

void number(int* out, int n) {
  if (n == 0) return;
  number_kernel<<<n / threads, threads>>>(out, n);
}
