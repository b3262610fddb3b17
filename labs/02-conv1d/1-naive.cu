// Three-point average, one output a thread: out[i] = (in[i] + in[i+1] + in[i+2]) / 3.
// Bound by load requests. How many 32-byte sectors does a block of 128 threads ask for?

// in has n + 2 elements, out has n.
__global__ void average3(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // TODO: the average of the three inputs that start at i, for every i below n.
  if (i < n) out[i] = in[i];
}

void conv1d(const float* in, float* out, int n) {
  if (n == 0) return;  // a grid of no blocks is a launch error
  const int block = 128;
  average3<<<(n + block - 1) / block, block>>>(in, out, n);
}
