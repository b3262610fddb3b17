// unconventional: first-launch/3-bounds
// Whole blocks first, then one block of the threads that are left.
__global__ void number_kernel(int* out, int first) {
  const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i;
}
void number(int* out, int n) {
  const int whole = n / 256, rest = n % 256;
  if (whole > 0) number_kernel<<<whole, 256>>>(out, 0);
  if (rest > 0) number_kernel<<<1, rest>>>(out, 256 * whole);
}
