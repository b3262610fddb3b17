// lazy: profiles/2-smooth
// expect: gate time_us <= 1.3 * reference(self)
// No shared memory: each thread loads its own row by four floats, 128 bytes from the next thread.
constexpr int threads = 64;
__global__ void smooth_kernel(const float* in, float* out, int rows) {
  const int row = blockIdx.x * threads + threadIdx.x;
  if (row >= rows) return;
  const float4* from = reinterpret_cast<const float4*>(in + row * 32);
  float4* to = reinterpret_cast<float4*>(out + row * 32);
  float mean = in[row * 32];
  for (int k = 0; k < 8; ++k) {
    float4 v = from[k];
    v.x = mean += 0.25f * (v.x - mean);
    v.y = mean += 0.25f * (v.y - mean);
    v.z = mean += 0.25f * (v.z - mean);
    v.w = mean += 0.25f * (v.w - mean);
    to[k] = v;
  }
}
void smooth(const float* in, float* out, int rows) {
  if (rows == 0) return;
  smooth_kernel<<<(rows + threads - 1) / threads, threads>>>(in, out, rows);
}
