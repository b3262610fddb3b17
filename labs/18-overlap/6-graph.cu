// Many short kernels, each after the one before.
// Bound by the host: a launch takes it longer than the kernel runs.
constexpr int threads = 256;

// One step of heat conduction: every point moves towards the mean of the two beside it.
__global__ void relax_kernel(const float* from, float* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float here = from[i];
  const float left = i > 0 ? from[i - 1] : here, right = i + 1 < n ? from[i + 1] : here;
  to[i] = here + 0.25f * (left - 2 * here + right);
}

// u holds the temperatures, before and after; v is room for the steps between. Both are in device
// memory. steps is even.
void relax(float* u, float* v, int n, int steps) {
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  // TODO: record a few of these launches as a graph, once, and launch the graph instead.
  for (int s = 0; s < steps; s += 2) {
    relax_kernel<<<blocks, threads, 0, stream>>>(u, v, n);
    relax_kernel<<<blocks, threads, 0, stream>>>(v, u, n);
  }
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}
