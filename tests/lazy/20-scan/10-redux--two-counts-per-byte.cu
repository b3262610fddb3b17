// lazy: scan/10-redux
// expect: gate ptx(redux) + ptx(vote) >= 0.99 * n / 128
// Lanes exchange their counts through shared memory, two per byte.
__device__ int four(const int* in, int f, int n) {
  int c = 0;
  if (f + 3 < n) {
    int4 v = *(const int4*)(in + f);
    return (v.x > 0) + (v.y > 0) + (v.z > 0) + (v.w > 0);
  }
  for (int j = f; j < n; ++j) c += in[j] > 0;
  return c;
}
__global__ void k(const int* in, int* counts, int n) {
  __shared__ int4 s[16];
  const int l = threadIdx.x % 32, f = 8 * (blockIdx.x * 256 + threadIdx.x - l) + 4 * l;
  ((unsigned char*)s)[threadIdx.x] = four(in, f, n) | four(in, f + 128, n) << 4;
  __syncwarp();
  if (l < 2 && f - 4 * l + 128 * l < n) {
    const int4 a = s[threadIdx.x / 32 * 2], b = s[threadIdx.x / 32 * 2 + 1];
    const int m = 0x0f0f0f0f, h = 4 * l;
    counts[f / 128 + l] = __dp4a(
        (a.x >> h & m) + (a.y >> h & m) + (a.z >> h & m) + (a.w >> h & m), 0x01010101,
        __dp4a((b.x >> h & m) + (b.y >> h & m) + (b.z >> h & m) + (b.w >> h & m), 0x01010101, 0));
  }
}
void count_groups(const int* in, int* counts, int n) {
  if (n) k<<<(n + 2047) / 2048, 256>>>(in, counts, n);
}
