// unconventional: coalescing/4-misaligned
// A fixed grid from the line on, with 64-bit indices.
__global__ void k(float* __restrict__ data, long long from, long long to) {
  for (long long i = from / 32 * 32 + blockIdx.x * (long long)blockDim.x + threadIdx.x; i < to;
       i += gridDim.x * (long long)blockDim.x)
    if (i >= from) data[i] += data[i];
}
void scale(float* data, int offset, int n) {
  if (n) k<<<528, 512>>>(data, offset, (long long)offset + n);
}
