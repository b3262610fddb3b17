// wrong: roofline/1-intensity
// mistake: 2 * rows * depth * cols was computed as an int, which ends at 2^31: 2 * 512 * 1024 * 4096 is twice that.
// expect: wrong
// Operations a byte of C[rows, cols] = A[rows, depth] B[depth, cols]: a thread a shape.
constexpr int threads = 128;

struct Shape {
  int rows, depth, cols, bytes;  // bytes: of an element
};

__device__ float intensity(int rows, int depth, int cols, int bytes) {
  return float(2 * rows * depth * cols) / float(bytes * (rows * depth + depth * cols + rows * cols));
}

__global__ void intensity_kernel(const Shape* shapes, float* out, int count) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= count) return;
  const Shape s = shapes[i];
  out[i] = intensity(s.rows, s.depth, s.cols, s.bytes);
}

void intensities(const Shape* shapes, float* out, int count) {
  if (count == 0) return;
  intensity_kernel<<<(count + threads - 1) / threads, threads>>>(shapes, out, count);
}
