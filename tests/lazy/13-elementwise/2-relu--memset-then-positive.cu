// lazy: elementwise/2-relu
// expect: gate memsets == 0
// Zeros first, then only what is not negative: no select, and each zero written in a pass of its own.
__global__ void k(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float x = in[i];
    if (!(x < 0)) out[i] = x;
  }
}
void relu(const float* in, float* out, int n) {
  if (n) {
    cudaMemset(out, 0, n * 4);
    k<<<(n + 255) / 256, 256>>>(in, out, n);
  }
}
