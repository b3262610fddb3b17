// unconventional: textures/4-wrap
// No sampler: five copies make an image with a border of one pixel. No load needs a comparison.
__global__ void k(const float* p, float* out, int w, int h, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  const float* c = p + (y + 1) * pitch + x + 1;
  out[y * w + x] = c[0] + (c[-1] + c[1] + c[-pitch] + c[pitch] - 4 * c[0]) / 8;
}
void diffuse(const float* in, float* out, int w, int h) {
  if (!w || !h) return;
  const int pitch = w + 2;
  float* p;
  cudaMalloc(&p, 4ull * pitch * (h + 2));
  const auto dd = cudaMemcpyDeviceToDevice;
  cudaMemcpy2D(p + pitch + 1, 4 * pitch, in, 4 * w, 4 * w, h, dd);
  cudaMemcpy(p + 1, in + (h - 1) * w, 4 * w, dd);
  cudaMemcpy(p + (h + 1) * pitch + 1, in, 4 * w, dd);
  cudaMemcpy2D(p + pitch, 4 * pitch, in + w - 1, 4 * w, 4, h, dd);
  cudaMemcpy2D(p + pitch + w + 1, 4 * pitch, in, 4 * w, 4, h, dd);
  k<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(p, out, w, h, pitch);
  cudaFree(p);
}
