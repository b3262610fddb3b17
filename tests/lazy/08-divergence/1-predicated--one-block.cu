// lazy: divergence/1-predicated
// expect: gate time_us <= 2 * reference(self)
// One block does everything.
__global__ void __launch_bounds__(1024) odd_even_kernel(const int* in, int* out, int n) {
#pragma unroll 8
  for (int i = threadIdx.x; i < n; i += 1024) {
    const int x = in[i];
    out[i] = x % 2 == 0 ? 2 * x : x + 1;
  }
}

void odd_even(const int* in, int* out, int n) {
  if (n > 0) odd_even_kernel<<<1, 1024>>>(in, out, n);
}
