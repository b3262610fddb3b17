// unconventional: first-launch/3-bounds
__global__ void number_kernel(int* out, int first, int end) {
  const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < end) out[i] = i;
}
void number(int* out, int n) {
  cudaStream_t stream[2];
  for (cudaStream_t& s : stream) cudaStreamCreate(&s);
  const int half = n / 2 / 256 * 256;
  if (half > 0) number_kernel<<<half / 256, 256, 0, stream[0]>>>(out, 0, half);
  if (n > half) number_kernel<<<(n - half + 255) / 256, 256, 0, stream[1]>>>(out, half, n);
  for (cudaStream_t s : stream) {
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
  }
}
