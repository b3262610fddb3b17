// unconventional: privatisation/5-runs
// The common case first: 16 equal bytes are one addition of 16. Only mixed packs are looked at byte
// by byte.
constexpr int threads = 128;

__global__ void histogram_kernel(const unsigned char* data, int* bins, int n) {
  __shared__ int mine[256];
  for (int b = threadIdx.x; b < 256; b += threads) mine[b] = 0;
  __syncthreads();
  const int first = blockIdx.x * threads + threadIdx.x;
  const int all = gridDim.x * threads;
  for (int v = first; v < n / 16; v += all) {
    const uint4 pack = reinterpret_cast<const uint4*>(data)[v];
    const unsigned value = pack.x & 255;
    const unsigned four = value * 0x01010101u;
    if (pack.x == four && pack.y == four && pack.z == four && pack.w == four) {
      atomicAdd(&mine[value], 16);
      continue;
    }
    int start = 16 * v;
    for (int i = start + 1; i <= 16 * v + 16; ++i) {
      if (i < 16 * v + 16 && data[i] == data[start]) continue;
      atomicAdd(&mine[data[start]], i - start);
      start = i;
    }
  }
  for (int i = n / 16 * 16 + first; i < n; i += all) atomicAdd(&mine[data[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += threads)
    if (mine[b] != 0) atomicAdd(&bins[b], mine[b]);
}

void histogram(const unsigned char* data, int* bins, int n) {
  cudaMemset(bins, 0, 256 * sizeof(int));
  if (n == 0) return;
  histogram_kernel<<<min((n / 16 + threads) / threads, 264), threads>>>(data, bins, n);
}
