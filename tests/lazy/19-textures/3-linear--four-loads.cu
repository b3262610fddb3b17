// lazy: textures/3-linear
// expect: gate global_load_lane_bytes <= 0.1 * pixels
// No texture: four loads per output pixel, clamped and weighed by the kernel.
__global__ void resize_kernel(const float* in, float* out, int w, int h, int new_w, int new_h, float scale_x,
                              float scale_y) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= new_w || y >= new_h) return;
  const float u = (x + 0.5f) * scale_x - 0.5f, v = (y + 0.5f) * scale_y - 0.5f;
  const float left = floorf(u), top = floorf(v), a = u - left, b = v - top;
  const int x0 = max(int(left), 0), x1 = min(int(left) + 1, w - 1);
  const int y0 = max(int(top), 0), y1 = min(int(top) + 1, h - 1);
  const float upper = (1 - a) * in[y0 * w + x0] + a * in[y0 * w + x1];
  const float lower = (1 - a) * in[y1 * w + x0] + a * in[y1 * w + x1];
  out[y * new_w + x] = (1 - b) * upper + b * lower;
}

void resize(const float* in, float* out, int w, int h, int new_w, int new_h) {
  if (new_w == 0 || new_h == 0) return;
  const dim3 block(32, 8), grid((new_w + 31) / 32, (new_h + 7) / 8);
  resize_kernel<<<grid, block>>>(in, out, w, h, new_w, new_h, float(w) / new_w, float(h) / new_h);
}
