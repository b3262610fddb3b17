// unconventional: sync-bugs/9-butterfly
// Two tiles per block.
__global__ void k(const float* in, float* out, int n) {
  extern __shared__ float memory[];
  float *front = memory + 512 * threadIdx.y, *back = front + 256;
  const int t = threadIdx.x, start = (2 * blockIdx.x + threadIdx.y) * 512;
  front[t] = start + t < n ? in[start + t] : 0;
  back[t] = start + 256 + t < n ? in[start + 256 + t] : 0;
  __syncthreads();
  if (start + t < n) out[start + t] = front[t] + back[255 - t];
  if (start + 256 + t < n) out[start + 256 + t] = back[t] - front[255 - t];
}
void butterfly(const float* in, float* out, int n) {
  if (n) k<<<(n + 1023) / 1024, dim3(256, 2), 4096>>>(in, out, n);
}
