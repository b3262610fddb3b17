// expect: finding
// Waits for a word that no thread writes.
__global__ void k(const float* in, float* partials, int n) {
  while (((volatile float*)partials)[0] != 42.0f) ;
}
void reduce(const float* in, float* partials, int n) {
  k<<<(n + 255) / 256, 256>>>(in, partials, n);
}