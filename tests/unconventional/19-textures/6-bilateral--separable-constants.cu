// unconventional: textures/6-bilateral
constexpr float log2e = 1.44269504f;
__constant__ float near_to[9] = {0, -log2e / 8, -2 * log2e / 8, 0, -4 * log2e / 8, -5 * log2e / 8,
                                 0, 0,          -log2e};

__device__ float power(float e) {
  float p;
  asm("ex2.approx.f32 %0, %1;" : "=f"(p) : "f"(e));
  return p;
}

template <int width, int height>
__global__ void bilateral_kernel(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
  const int x = blockIdx.x * width + threadIdx.x % width, y = blockIdx.y * height + threadIdx.x / width;
  if (x >= w || y >= h) return;
  const float centre = __ldg(in + y * w + x);
  float sum = centre, weights = 1;
#pragma unroll
  for (int k = 0; k < 25; ++k) {
    constexpr int middle = 12;
    if (k == middle) continue;
    const int dx = k % 5 - 2, dy = k / 5 - 2;
    const float v = __ldg(in + min(max(y + dy, 0), h - 1) * w + min(max(x + dx, 0), w - 1)), d = v - centre;
    const float weight = power(fmaf(d * d, -8 * log2e, near_to[dx * dx + dy * dy]));
    sum = fmaf(weight, v, sum);
    weights += weight;
  }
  out[y * w + x] = __fdividef(sum, weights);
}

void bilateral(const float* in, float* out, int w, int h) {
  if (w == 0 || h == 0) return;
  bilateral_kernel<64, 4><<<dim3((w + 63) / 64, (h + 3) / 4), 256>>>(in, out, w, h);
}
