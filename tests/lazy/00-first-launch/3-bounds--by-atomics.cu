// lazy: first-launch/3-bounds
// expect: gate global_store_lane_bytes == 4 * n
// Each element is written by an atomic operation.
__global__ void number_kernel(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicExch(&out[i], i);
}
void number(int* out, int n) {
  if (n > 0) number_kernel<<<(n + 255) / 256, 256>>>(out, n);
}
