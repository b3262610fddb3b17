// unconventional: coarsening/1-two
// The second element lies half the array further on, in the middle of a sector.
__global__ void k(const float* a, const float* b, float* c, int n, int half) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < half) {
    c[i] = a[i] + b[i];
    if (i + half < n) c[i + half] = a[i + half] + b[i + half];
  }
}
void add(const float* a, const float* b, float* c, int n) {
  int h = (n + 1) / 2;
  if (n) k<<<(h + 127) / 128, 128>>>(a, b, c, n, h);
}
