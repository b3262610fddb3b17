// lazy: roofline/1-intensity
// expect: gate time_us <= 3 * reference(self)
// Eight threads go through all shapes: most of a warp, and of the GPU, is idle.
struct Shape {
  int rows;
  int depth;
  int cols;
  int bytes;  // per element
};

// Operations per byte, with every matrix moved once.
__device__ float intensity(const Shape& s) {
  const float rows = s.rows;  // float: an int ends at 2^31
  const float depth = s.depth;
  const float cols = s.cols;
  const float operations = 2.0f * rows * depth * cols;
  const float elements = rows * depth + depth * cols + rows * cols;
  return operations / (s.bytes * elements);
}

// GFLOP/s that the peaks allow at this intensity.
__device__ float attainable(float intensity, float peak_gflops, float peak_gbps) {
  return fminf(peak_gflops, intensity * peak_gbps);
}

__global__ void roofline_kernel(const Shape* shapes, float2* out, int count, float peak_gflops,
                                float peak_gbps) {
  for (int i = threadIdx.x; i < count; i += 8) {
    const float x = intensity(shapes[i]);
    out[i] = make_float2(x, attainable(x, peak_gflops, peak_gbps));
  }
}

void intensities(const Shape* shapes, float2* out, int count, float peak_gflops, float peak_gbps) {
  if (count == 0) return;
  roofline_kernel<<<1, 8>>>(shapes, out, count, peak_gflops, peak_gbps);
}
