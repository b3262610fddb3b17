// unconventional: profiles/5-trigger
// Eight threads per event look at eight samples each, and meet in shared memory.
__global__ void k(const unsigned char* s, int* first, int events) {
  const int e = blockIdx.x * 32 + threadIdx.x, part = threadIdx.y;
  __shared__ int best[32];
  if (part == 0) best[threadIdx.x] = 64;
  __syncthreads();
  if (e < events) {
    int f = 64;
    unsigned char v[8];
    for (int k = 0; k < 8; ++k) v[k] = s[(8 * part + k) * events + e];
    for (int k = 7; k >= 0; --k)
      if (v[k] >= 100) f = 8 * part + k;
    if (f < 64) atomicMin(&best[threadIdx.x], f);
  }
  __syncthreads();
  if (part == 0 && e < events) first[e] = best[threadIdx.x];
}
void trigger(const unsigned char* s, int* first, int events) {
  if (events) k<<<(events + 31) / 32, dim3(32, 8)>>>(s, first, events);
}
