// unconventional: coalescing/4-misaligned
// The floats up to the first boundary one by one, then float4 from there on, then the rest one by
// one.
constexpr int threads = 128;

__global__ void scale_kernel(float* data, int offset, int n) {
  const int boundary = (offset + 7) / 8 * 8;
  const int head = min(n, boundary - offset);
  const int vectors = (n - head) / 4;
  const int t = blockIdx.x * threads + threadIdx.x;
  if (t < vectors) {
    float4* at = reinterpret_cast<float4*>(data + boundary) + t;
    float4 v = *at;
    v.x *= 2.0f;
    v.y *= 2.0f;
    v.z *= 2.0f;
    v.w *= 2.0f;
    *at = v;
  }
  const int rest = n - head - 4 * vectors;
  if (t < head) data[offset + t] *= 2.0f;
  if (t < rest) data[boundary + 4 * vectors + t] *= 2.0f;
}

void scale(float* data, int offset, int n) {
  if (n == 0) return;
  scale_kernel<<<(n / 4 + 8 + threads - 1) / threads, threads>>>(data, offset, n);
}
