// lazy: coarsening/3-not-always
// expect: gate threads <= n / 4 + 1024 (n=131072, simt:a5000)
// The number of SMs of one GPU is written in. On another one, threads take one element too soon.
template <int each>
__global__ void k(const float* a, const float* b, float* c, int n) {
  const int s = blockIdx.x * each * 256 + threadIdx.x;
  for (int q = 0; q < each; ++q)
    if (s + 256 * q < n) c[s + 256 * q] = a[s + 256 * q] + b[s + 256 * q];
}
void add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  if (n < 132 * 1024)
    k<1><<<(n + 255) / 256, 256>>>(a, b, c, n);
  else
    k<4><<<(n + 1023) / 1024, 256>>>(a, b, c, n);
}
