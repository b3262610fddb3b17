// wrong: conv1d/4-constant
// mistake: The kernel reads the weights from global memory, a load request for each: a copy in constant memory helps only if the kernel uses it.
// expect: gate_failed gate 32 * global_load_requests <= 7.1 * n

constexpr int kTaps = 7;
__constant__ float weights[kTaps];

// in has n + 6 elements, out has n.
__global__ void filter7(const float* in, const float* filter, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < kTaps; ++k) sum += filter[k] * in[i + k];
  out[i] = sum;
}

void conv1d(const float* in, const float* filter, float* out, int n) {
  if (n == 0) return;
  cudaMemcpyToSymbol(weights, filter, sizeof(weights), 0, cudaMemcpyDeviceToDevice);
  const int block = 256;
  filter7<<<(n + block - 1) / block, block>>>(in, filter, out, n);
}
