// unconventional: elementwise/1-add
// A method, an overload for the device and one in a namespace are called as the entry is.
struct Pair {
  float a, b;
  __device__ float add() const;
};

namespace detail {
__device__ float add(float a, float b) { return a + b; }
}  // namespace detail

__device__ float add(float a, float b) { return detail::add(a, b); }
__device__ float Pair::add() const { return ::add(a, b); }

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = Pair{a[i], b[i]}.add();
}

void add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  add_kernel<<<(n + 255) / 256, 256>>>(a, b, c, n);
}
