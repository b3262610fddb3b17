// wrong: conv1d/5-wide
// mistake: The barrier stands inside if (i < n): in the last block some threads never reach it.
// expect: finding barrier_divergence

constexpr int kBlock = 256, kMaxRadius = 32;
__constant__ float weights[1 + 2 * kMaxRadius];

// in has n + 2r elements, out has n.
__global__ void filter_wide(const float* in, float* out, int n, int r) {
  __shared__ float tile[kBlock + 2 * kMaxRadius];
  int first = blockIdx.x * kBlock;                 // of the block's outputs, and of its inputs
  int inputs = min(kBlock, n - first) + 2 * r;     // that this block needs
  for (int t = threadIdx.x; t < inputs; t += kBlock) tile[t] = in[first + t];
  int i = first + threadIdx.x;
  if (i < n) {
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k <= 2 * r; ++k) sum += weights[k] * tile[threadIdx.x + k];
    out[i] = sum;
  }
}

void conv1d(const float* in, const float* filter, float* out, int n, int r) {
  if (n == 0) return;
  cudaMemcpyToSymbol(weights, filter, (1 + 2 * r) * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  filter_wide<<<(n + kBlock - 1) / kBlock, kBlock>>>(in, out, n, r);
}
