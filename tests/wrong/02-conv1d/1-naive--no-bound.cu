// wrong: conv1d/1-naive
// mistake: The last block has more threads than outputs are left: without "if (i < n)" they read and write past the end.
// expect: finding out_of_bounds line 8

// in has n + 2 elements, out has n.
__global__ void average3(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = (in[i] + in[i + 1] + in[i + 2]) * (1.0f / 3.0f);
}

void conv1d(const float* in, float* out, int n) {
  if (n == 0) return;  // a grid of no blocks is a launch error
  const int block = 128;
  average3<<<(n + block - 1) / block, block>>>(in, out, n);
}
