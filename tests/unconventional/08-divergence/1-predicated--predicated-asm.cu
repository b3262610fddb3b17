// unconventional: divergence/1-predicated
__device__ int changed(int x) {
  asm("{ .reg .pred odd; .reg .b32 low; and.b32 low, %0, 1; setp.ne.s32 odd, low, 0;\n"
      " @odd add.s32 %0, %0, 1;\n @!odd shl.b32 %0, %0, 1; }"
      : "+r"(x));
  return x;
}

__global__ void odd_even_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = changed(in[i]);
}

void odd_even(const int* in, int* out, int n) {
  if (n > 0) odd_even_kernel<<<(n + 127) / 128, 128>>>(in, out, n);
}
