// unconventional: roofline/1-intensity
// Sums of reciprocals instead of products: 2 / bytes / (1 / rows + 1 / depth + 1 / cols). The
// roofline of C[rows, cols] = A[rows, depth] B[depth, cols], for many shapes: one thread per shape.
constexpr int threads = 32;

struct Shape {
  int rows;
  int depth;
  int cols;
  int bytes;  // per element
};

// Operations per byte, with every matrix moved once.
__device__ float intensity(const Shape& s) {
  const float sum = 1.0f / s.rows + 1.0f / s.depth + 1.0f / s.cols;
  return 2.0f / (s.bytes * sum);
}

// GFLOP/s that the peaks allow at this intensity.
__device__ float attainable(float intensity, float peak_gflops, float peak_gbps) {
  const float slope = intensity * peak_gbps;
  return slope < peak_gflops ? slope : peak_gflops;
}

__global__ void roofline_kernel(const Shape* shapes, float2* out, int count, float peak_gflops,
                                float peak_gbps) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= count) return;
  const float x = intensity(shapes[i]);
  out[i] = make_float2(x, attainable(x, peak_gflops, peak_gbps));
}

void intensities(const Shape* shapes, float2* out, int count, float peak_gflops, float peak_gbps) {
  if (count == 0) return;
  const int blocks = (count + threads - 1) / threads;
  roofline_kernel<<<blocks, threads>>>(shapes, out, count, peak_gflops, peak_gbps);
}
