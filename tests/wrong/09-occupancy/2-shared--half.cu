// wrong: occupancy/2-shared
// mistake: Eight of these tiles fit in an SM's shared memory, but the system takes 1 KiB of each block's share: seven blocks fit.
// expect: gate_failed gate occupancy >= 0.99
// The mean of three consecutive elements, from a tile in shared memory.
constexpr int threads = 256, outputs = 7168;  // 28 KiB

__global__ void smooth_kernel(const float* in, float* out, int n) {
  __shared__ float tile[outputs + 2];
  const int first = blockIdx.x * outputs - 1;  // of the tile's inputs
  for (int t = threadIdx.x; t < outputs + 2; t += threads)
    tile[t] = first + t >= 0 && first + t < n ? in[first + t] : 0.0f;
  __syncthreads();
  for (int t = threadIdx.x; t < outputs; t += threads)
    if (first + 1 + t < n) out[first + 1 + t] = (tile[t] + tile[t + 1] + tile[t + 2]) / 3.0f;
}

void smooth(const float* in, float* out, int n) {
  if (n == 0) return;
  smooth_kernel<<<(n + outputs - 1) / outputs, threads>>>(in, out, n);
}
