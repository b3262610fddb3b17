// wrong: first-launch/3-bounds
// mistake: i <= n lets one thread too many through: element n is the first one that does not exist.
// expect: finding out_of_bounds line 8
constexpr int threads = 256;

__global__ void number_kernel(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] = i;
}

void number(int* out, int n) {
  if (n == 0) return;
  number_kernel<<<(n + threads - 1) / threads, threads>>>(out, n);
}
