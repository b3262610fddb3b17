// Every thread writes its own index, for any n. Bound by starting blocks: each writes 1 KB and ends
// (H100, modelled). The comparison with n costs nothing that shows.
constexpr int threads = 256;

__global__ void number_kernel(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;  // the last block has threads without an element
}

void number(int* out, int n) {
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads;  // n / threads, rounded up
  number_kernel<<<blocks, threads>>>(out, n);
}
