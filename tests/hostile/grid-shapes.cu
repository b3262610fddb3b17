// expect: finding
// Grids of nothing and of too much.
__global__ void k(const float* in, float* partials, int n) {
  partials[0] = 1;
}
void reduce(const float* in, float* partials, int n) {
  k<<<0, 0>>>(in, partials, n); k<<<-1, 1>>>(in, partials, n); k<<<1, 4096>>>(in, partials, n); k<<<1, 1, ~0ull>>>(in, partials, n);
}