// unconventional: profiles/2-smooth
// A warp per row, a sample per lane. mean = a * (mean of the lane before) + b is composed in five rounds.
constexpr int threads = 256;
constexpr unsigned all_lanes = 0xffffffff;

__global__ void smooth_kernel(const float* in, float* out, int rows) {
  const int i = blockIdx.x * threads + threadIdx.x;
  const int lane = threadIdx.x % 32;
  if (i / 32 >= rows) return;  // by whole warps
  float a = lane == 0 ? 0 : 0.75f, b = lane == 0 ? in[i] : 0.25f * in[i];
  for (int offset = 1; offset < 32; offset *= 2) {
    const float earlier_a = __shfl_up_sync(all_lanes, a, offset);
    const float earlier_b = __shfl_up_sync(all_lanes, b, offset);
    if (lane >= offset) b += a * earlier_b, a *= earlier_a;
  }
  out[i] = b;
}

void smooth(const float* in, float* out, int rows) {
  if (rows == 0) return;
  const int warps = threads / 32;
  smooth_kernel<<<(rows + warps - 1) / warps, threads>>>(in, out, rows);
}
