// expect: finding
// Writes far outside.
__global__ void k(const float* in, float* partials, int n) {
  ((float*)0x123456789abcull)[threadIdx.x] = 1; partials[1ull << 40] = 2;
}
void reduce(const float* in, float* partials, int n) {
  k<<<(n + 255) / 256, 256>>>(in, partials, n);
}