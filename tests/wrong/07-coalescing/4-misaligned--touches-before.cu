// wrong: coalescing/4-misaligned
// mistake: The threads between the border and offset have nothing to do; here they double floats that are not theirs.
// expect: wrong
constexpr int threads = 256;
constexpr int sector = 8;  // floats: 32 bytes

__global__ void scale_kernel(float* data, int offset, int n) {
  const int border = offset / sector * sector;
  const int i = border + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < offset + n) data[i] *= 2.0f;  // the first few threads have nothing to do
}

void scale(float* data, int offset, int n) {
  if (n == 0) return;
  const int span = n + offset % sector;  // from the border to the end
  scale_kernel<<<(span + threads - 1) / threads, threads>>>(data, offset, n);
}
