// lazy: coarsening/3-not-always
// expect: gate threads <= n / 2 + 1024 (n=262144, simt:a5000)
// The number of SMs of one GPU is written in. On another one, threads take one element too soon.
template <int each>
__global__ void k(const float* a, const float* b, float* c, int n) {
  const int s = blockIdx.x * each * 256 + threadIdx.x;
  for (int q = 0; q < each; ++q)
    if (s + 256 * q < n) c[s + 256 * q] = a[s + 256 * q] + b[s + 256 * q];
}
void add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  if (n < 132 * 4096)
    k<1><<<(n + 255) / 256, 256>>>(a, b, c, n);
  else
    k<16><<<(n + 4095) / 4096, 256>>>(a, b, c, n);
}
