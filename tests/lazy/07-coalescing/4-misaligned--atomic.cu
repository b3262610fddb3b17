// lazy: coalescing/4-misaligned
// expect: gate default: global_atomics <= 4 * reference(self) + 64
// Atomic operations load and store the floats: neither counts as a global load or store.
__global__ void k(float* data, int offset, int n) {
  const int i = offset + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < offset + n) atomicAdd(&data[i], atomicAdd(&data[i], 0.0f));
}
void scale(float* data, int offset, int n) {
  if (n) k<<<(n + 255) / 256, 256>>>(data, offset, n);
}
