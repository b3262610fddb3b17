// lazy: occupancy/2-shared
// expect: gate time_us <= 1.5 * reference(self)
// No tile: a thread walks over 32 consecutive outputs.
__global__ void k(const float* in, float* out, int n) {
  const int first = 32 * (blockIdx.x * 256 + threadIdx.x);
  if (first >= n) return;
  float a = first > 0 ? in[first - 1] : 0, b = in[first];
#pragma unroll 4
  for (int j = first; j < min(first + 32, n); ++j) {
    const float c = j + 1 < n ? in[j + 1] : 0;
    out[j] = (a + b + c) / 3.0f;
    a = b;
    b = c;
  }
}
void smooth(const float* in, float* out, int n) {
  if (n) k<<<(n + 8191) / 8192, 256>>>(in, out, n);
}
