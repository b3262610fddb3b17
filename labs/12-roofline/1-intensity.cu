// The roofline of C[rows, cols] = A[rows, depth] B[depth, cols], for many shapes: one thread per
// shape.
constexpr int threads = 128;

struct Shape {
  int rows;
  int depth;
  int cols;
  int bytes;  // per element
};

// Operations per byte, with every matrix moved once.
__device__ float intensity(const Shape& s) {
  // TODO: the intensity; and below, what the roofline makes of it.
  return 0.0f;
}

// GFLOP/s that the peaks allow at this intensity.
__device__ float attainable(float intensity, float peak_gflops, float peak_gbps) {
  return peak_gflops;
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
