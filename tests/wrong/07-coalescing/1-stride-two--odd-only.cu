// wrong: coalescing/1-stride-two
// mistake: The second half of out is stored for odd j only. That is right for an odd n. For an even n, even elements are needed twice: test (j + n) % 2.
// expect: wrong
constexpr int threads = 256;

__global__ void copy_kernel(const float* in, float* out, int n) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= n) return;
  const float x = in[j];
  if (j % 2 == 0) {
    out[j / 2] = x;
  } else {
    out[(j + n) / 2 % n] = x;
  }
}

void copy(const float* in, float* out, int n) {
  if (n == 0) return;
  copy_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
