// Three-point average. Each thread reads its three inputs from global memory.

// in has n + 2 elements, out has n.
__global__ void average3(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // TODO: load the block's 128 + 2 inputs into shared memory (two threads load the extra ones).
  // Wait for the whole block, then read the three inputs from there.
  if (i < n) out[i] = (in[i] + in[i + 1] + in[i + 2]) * (1.0f / 3.0f);
}

void conv1d(const float* in, float* out, int n) {
  if (n == 0) return;  // a launch of zero blocks is an error
  const int block = 128;
  average3<<<(n + block - 1) / block, block>>>(in, out, n);
}
