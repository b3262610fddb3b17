// unconventional: coarsening/2-four
// Four elements a grid apart, with one check for the four.
__global__ void k(const float* a, const float* b, float* c, int n) {
  const int s = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 3 * s < n) {
    const float x0 = a[i] + b[i], x1 = a[i + s] + b[i + s], x2 = a[i + 2 * s] + b[i + 2 * s],
                x3 = a[i + 3 * s] + b[i + 3 * s];
    c[i] = x0;
    c[i + s] = x1;
    c[i + 2 * s] = x2;
    c[i + 3 * s] = x3;
  } else
    for (int j = i; j < n; j += s) c[j] = a[j] + b[j];
}
void add(const float* a, const float* b, float* c, int n) {
  if (n) k<<<(n + 1023) / 1024, 256>>>(a, b, c, n);
}
