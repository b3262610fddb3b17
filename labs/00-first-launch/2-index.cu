// Every thread writes its own index.
constexpr int threads = 256;

__global__ void number_kernel(int* out, int n) {
  const int i = threadIdx.x;
  out[i] = i;
}

void number(int* out, int n) {
  // TODO: one block covers 256 elements only. Launch enough blocks for all n (a multiple of 256
  // here). In the kernel, give every thread an i of its own.
  number_kernel<<<1, threads>>>(out, n);
}
