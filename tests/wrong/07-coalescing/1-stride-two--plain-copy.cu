// wrong: coalescing/1-stride-two
// mistake: A plain copy is coalesced, but it puts the floats elsewhere: out[i] must be in[(2 * i) % n].
// expect: wrong
constexpr int threads = 256;

__global__ void copy_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

void copy(const float* in, float* out, int n) {
  if (n == 0) return;
  copy_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
