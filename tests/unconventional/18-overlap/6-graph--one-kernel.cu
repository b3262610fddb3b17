// unconventional: overlap/6-graph
// No graph: one block keeps the points in shared memory and makes all steps, if they fit.
constexpr int threads = 1024;

// One step of heat conduction: every point moves towards the mean of the two beside it.
__global__ void relax_kernel(const float* from, float* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float here = from[i];
  const float left = i > 0 ? from[i - 1] : here, right = i + 1 < n ? from[i + 1] : here;
  to[i] = here + 0.25f * (left - 2 * here + right);
}

__global__ void relax_all(float* u, int n, int steps) {
  __shared__ float point[2][threads];
  const int i = threadIdx.x;
  if (i < n) point[0][i] = u[i];
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    const float* from = point[s % 2];
    if (i < n) {
      const float here = from[i];
      const float left = i > 0 ? from[i - 1] : here, right = i + 1 < n ? from[i + 1] : here;
      point[1 - s % 2][i] = here + 0.25f * (left - 2 * here + right);
    }
    __syncthreads();
  }
  if (i < n) u[i] = point[0][i];
}

void relax(float* u, float* v, int n, int steps) {
  if (n == 0) return;
  if (n <= threads) {
    relax_all<<<1, threads>>>(u, n, steps);
  } else {
    for (int s = 0; s < steps; s += 2) {
      relax_kernel<<<(n + 255) / 256, 256>>>(u, v, n);
      relax_kernel<<<(n + 255) / 256, 256>>>(v, u, n);
    }
  }
  cudaDeviceSynchronize();
}
