// Every thread writes its own index.
// Bound by starting blocks: each of the 4096 blocks writes 1 KB and ends (H100, modelled).
constexpr int threads = 256;

__global__ void number_kernel(int* out, int n) {
  // whole blocks before, then the place in this one
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i;
}

void number(int* out, int n) {
  if (n == 0) return;  // a launch of zero blocks is an error
  number_kernel<<<n / threads, threads>>>(out, n);
}
