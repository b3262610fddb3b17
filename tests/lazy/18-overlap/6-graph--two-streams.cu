// lazy: overlap/6-graph
// expect: gate end_to_end_us <= 1.25 * reference(self)
// Launches on two streams, ordered by events: no cheaper for the host.
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
  cudaStream_t stream[2];
  cudaEvent_t done[2];
  for (int k = 0; k < 2; ++k) {
    cudaStreamCreate(&stream[k]);
    cudaEventCreateWithFlags(&done[k], cudaEventDisableTiming);
  }
  for (int s = 0; s < steps; ++s) {
    const int k = s % 2;
    if (s) cudaStreamWaitEvent(stream[k], done[1 - k], 0);
    relax_kernel<<<blocks, threads, 0, stream[k]>>>(k ? v : u, k ? u : v, n);
    cudaEventRecord(done[k], stream[k]);
  }
  cudaDeviceSynchronize();
  for (int k = 0; k < 2; ++k) {
    cudaStreamDestroy(stream[k]);
    cudaEventDestroy(done[k]);
  }
}
