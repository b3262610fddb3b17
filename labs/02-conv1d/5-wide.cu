// A filter of 1 + 2r taps, r up to 32, with the block's inputs in shared memory. Written in a hurry: it looks
// right on the middle of a long array. Find the two mistakes. (In which block, and for which threads, do they
// show?)

constexpr int kBlock = 256, kMaxRadius = 32;
__constant__ float weights[1 + 2 * kMaxRadius];

// in has n + 2r elements, out has n.
__global__ void filter_wide(const float* in, float* out, int n, int r) {
  __shared__ float tile[kBlock + 2 * kMaxRadius];
  int t = threadIdx.x;
  int i = blockIdx.x * kBlock + t;
  if (i < n) {
    // TODO: two mistakes are in these three lines.
    tile[t] = in[i];
    if (t < 2 * r) tile[t + kBlock] = in[i + kBlock];
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k <= 2 * r; ++k) sum += weights[k] * tile[t + k];
    out[i] = sum;
  }
}

void conv1d(const float* in, const float* filter, float* out, int n, int r) {
  if (n == 0) return;
  cudaMemcpyToSymbol(weights, filter, (1 + 2 * r) * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  filter_wide<<<(n + kBlock - 1) / kBlock, kBlock>>>(in, out, n, r);
}
