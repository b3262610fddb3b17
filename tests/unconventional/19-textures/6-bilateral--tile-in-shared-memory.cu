// unconventional: textures/6-bilateral
// A tile with a halo of two in shared memory; each pixel is read from L1 once per block, clamped there. The table
// of distances lies in constant memory.
__constant__ float log_distance[6] = {0.0f,        -0.18033688f, -0.36067376f,
                                      -0.72134752f, -0.90168440f, -1.44269504f};  // -d2 / 8 * log2(e)
__global__ void bilateral_kernel(const float* in, float* out, int w, int h) {
  __shared__ float tile[12][36];
  const int x0 = blockIdx.x * 32 - 2, y0 = blockIdx.y * 8 - 2;
  for (int i = threadIdx.y * 32 + threadIdx.x; i < 12 * 36; i += 256) {
    const int px = min(max(x0 + i % 36, 0), w - 1), py = min(max(y0 + i / 36, 0), h - 1);
    tile[i / 36][i % 36] = __ldg(&in[py * w + px]);
  }
  __syncthreads();
  constexpr int entry[3][3] = {{0, 1, 3}, {1, 2, 4}, {3, 4, 5}};
  const float centre = tile[threadIdx.y + 2][threadIdx.x + 2];
  float sum = 0, weights = 0;
#pragma unroll
  for (int dy = -2; dy <= 2; ++dy)
#pragma unroll
    for (int dx = -2; dx <= 2; ++dx) {
      const float v = tile[threadIdx.y + 2 + dy][threadIdx.x + 2 + dx], d = v - centre;
      const float weight = exp2f(log_distance[entry[dy < 0 ? -dy : dy][dx < 0 ? -dx : dx]] - d * d * 11.5415603f);
      sum += weight * v;
      weights += weight;
    }
  const int x = x0 + 2 + threadIdx.x, y = y0 + 2 + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = sum / weights;
}

void bilateral(const float* in, float* out, int w, int h) {
  if (w == 0 || h == 0) return;
  const dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
  bilateral_kernel<<<grid, block>>>(in, out, w, h);
}
