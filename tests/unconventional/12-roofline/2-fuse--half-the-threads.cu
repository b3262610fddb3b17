// unconventional: roofline/2-fuse
// A fixed grid, and a template over the function.
template <class F>
__global__ void map(const float* x, const float* r, float* y, long long n, F f) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
       i += (long long)gridDim.x * blockDim.x)
    y[i] = f(x[i], r[i]);
}
struct Chain {
  __device__ float operator()(float x, float r) const { return fmaxf(fmaf(0.5f, x, 0.25f) + r, 0.0f); }
};
void chain(const float* x, const float* r, float* t, float* y, int n) {
  if (n) map<<<1056, 256>>>(x, r, y, n, Chain());
}
