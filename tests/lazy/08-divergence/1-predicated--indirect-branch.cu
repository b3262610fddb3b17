// lazy: divergence/1-predicated
// expect: gate instructions <= 1.15 * reference(self)
// A call through a pointer instead of a branch.
__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int next(int x) { return x + 1; }

__global__ void odd_even_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int x = in[i];
  int (*f)(int) = x % 2 == 0 ? twice : next;
  out[i] = f(x);
}

void odd_even(const int* in, int* out, int n) {
  if (n > 0) odd_even_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
