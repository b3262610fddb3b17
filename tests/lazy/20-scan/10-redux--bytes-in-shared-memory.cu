// lazy: scan/10-redux
// expect: gate shared_store_lane_bytes <= n / 6
// Each lane stores its count as a byte of shared memory, and lane 0 adds up the 32 bytes.
__global__ void k(const int* in, int* counts, int n) {
  __shared__ int4 s[64];
  int f = 4 * (blockIdx.x * 256 + threadIdx.x), c = 0, l = threadIdx.x % 32;
  if (f + 3 < n) {
    int4 v = *(const int4*)(in + f);
    c = (v.x > 0) + (v.y > 0) + (v.z > 0) + (v.w > 0);
  } else
    for (int j = f; j < n; ++j) c += in[j] > 0;
  ((signed char*)s)[threadIdx.x] = c;
  __syncwarp();
  if (l == 0 && f < n) {
    int4 a = s[threadIdx.x / 16], b = s[threadIdx.x / 16 + 1];
    counts[f / 128] = __dp4a(a.x + a.y + a.z + a.w, 0x01010101, __dp4a(b.x + b.y + b.z + b.w, 0x01010101, 0));
  }
}
void count_groups(const int* in, int* counts, int n) {
  if (n) k<<<(n + 1023) / 1024, 256>>>(in, counts, n);
}
