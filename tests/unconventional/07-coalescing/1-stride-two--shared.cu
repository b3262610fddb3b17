// unconventional: coalescing/1-stride-two
// Through shared memory, both ranges of outputs one after the other.
__global__ void k(const float* in, float* out, int n) {
  __shared__ float tile[1024];
  const long long first = blockIdx.x * 1024ll;
  for (int j = threadIdx.x; j < 1024; j += 256)
    if (first + j < n) tile[j] = in[first + j];
  __syncthreads();
  for (int p = 0; p < 2; ++p) {
    // i with 2 i = e or 2 i = e + n, for e = first ... first + 1023
    const long long start = p ? first + n : first, i0 = (start + 1) / 2, i1 = (start + 1023) / 2;
    for (long long i = i0 + threadIdx.x; i <= i1; i += 256) {
      const long long e = 2 * i - (p ? n : 0);
      if (i < n && e < n) out[i] = tile[e - first];
    }
  }
}
void copy(const float* in, float* out, int n) {
  if (n) k<<<(n + 1023) / 1024, 256>>>(in, out, n);
}
