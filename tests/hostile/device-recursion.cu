// expect: finding
// A kernel that calls itself deeper and deeper.
__device__ __noinline__ float down(int x) { volatile float keep[64]; keep[x & 63] = x; return down(x + 1) + keep[1]; }
__global__ void k(const float* in, float* partials, int n) {
  partials[blockIdx.x] = down(n);
}
void reduce(const float* in, float* partials, int n) {
  k<<<(n + 255) / 256, 256>>>(in, partials, n);
}