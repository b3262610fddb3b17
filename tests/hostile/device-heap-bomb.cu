// expect: wrong
// Takes memory inside the kernel.
__global__ void k(const float* in, float* partials, int n) {
  for (;;) if (!malloc(1 << 20)) return;
}
void reduce(const float* in, float* partials, int n) {
  k<<<(n + 255) / 256, 256>>>(in, partials, n);
}