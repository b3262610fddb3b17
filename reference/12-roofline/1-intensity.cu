// Operations a byte of C[rows, cols] = A[rows, depth] B[depth, cols]: a thread a shape.
// Bound by the launch.
constexpr int threads = 128;

struct Shape {
  int rows, depth, cols, bytes;  // bytes: of an element
};

__device__ float intensity(int rows, int depth, int cols, int bytes) {
  const float operations = 2.0f * rows * depth * cols;  // float: an int ends at 2^31
  const float elements = float(rows) * depth + float(depth) * cols + float(rows) * cols;
  return operations / (bytes * elements);
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
