// wrong: conv1d/1-naive
// mistake: The window starts at i; in[i - 1] shifts every output by one, and reads before the array in the first thread.
// expect: finding out_of_bounds line 8

// in has n + 2 elements, out has n.
__global__ void average3(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (in[i - 1] + in[i] + in[i + 1]) * (1.0f / 3.0f);
}

void conv1d(const float* in, float* out, int n) {
  if (n == 0) return;  // a grid of no blocks is a launch error
  const int block = 128;
  average3<<<(n + block - 1) / block, block>>>(in, out, n);
}
