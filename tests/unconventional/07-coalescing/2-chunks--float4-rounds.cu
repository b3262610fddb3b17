// unconventional: coalescing/2-chunks
// Rounds of 16 bytes per lane, 128 threads.
__global__ void k(const float* in, float* out, int n, int chunk) {
  const int start = blockIdx.x * 128 * chunk, end = min(n, start + 128 * chunk);
  int i = start + 4 * threadIdx.x;
  for (; i + 3 < end; i += 512)
    *reinterpret_cast<float4*>(out + i) = *reinterpret_cast<const float4*>(in + i);
  for (; i < end; ++i) out[i] = in[i];
}
void copy(const float* in, float* out, int n, int chunk) {
  if (n) k<<<(n + 128 * chunk - 1) / (128 * chunk), 128>>>(in, out, n, chunk);
}
