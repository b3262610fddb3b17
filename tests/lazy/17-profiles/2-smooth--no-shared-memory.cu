// lazy: profiles/2-smooth
// expect: gate time_us <= 1.3 * reference(self)
// Without shared memory, each lane reads a row of its own from global memory.
constexpr int threads = 128;
constexpr int length = 32;

__global__ void smooth_kernel(const float* in, float* out, int rows) {
  const int row = blockIdx.x * threads + threadIdx.x;
  if (row >= rows) return;
  float mean = in[row * length];
  for (int k = 0; k < length; ++k) {
    mean += 0.25f * (in[row * length + k] - mean);
    out[row * length + k] = mean;
  }
}

void smooth(const float* in, float* out, int rows) {
  if (rows == 0) return;
  smooth_kernel<<<(rows + threads - 1) / threads, threads>>>(in, out, rows);
}
