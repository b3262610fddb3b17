// Operations a byte of C[rows, cols] = A[rows, depth] B[depth, cols]: a thread a shape.
constexpr int threads = 128;

struct Shape {
  int rows, depth, cols, bytes;  // bytes: of an element
};

__device__ float intensity(int rows, int depth, int cols, int bytes) {
  // TODO: operations over bytes, every matrix moved once.
  return 0.0f;
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
