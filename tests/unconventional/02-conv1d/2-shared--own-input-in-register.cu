// unconventional: conv1d/2-shared
// A thread keeps its own input in a register and reads two from the tile.
template <int T>
__global__ void k(const float* __restrict__ in, float* __restrict__ out, int n) {
  extern __shared__ float tile[];
  const int t = threadIdx.x, i = blockIdx.x * T + t;
  const float mine = i < n + 2 ? in[i] : 0.0f;
  tile[t] = mine;
  if (t < 2) tile[T + t] = i + T < n + 2 ? in[i + T] : 0.0f;
  __syncthreads();
  if (i < n) out[i] = (mine + tile[t + 1] + tile[t + 2]) / 3.0f;
}
void conv1d(const float* in, float* out, int n) {
  if (n) k<256><<<(n + 255) / 256, 256, 258 * sizeof(float)>>>(in, out, n);
}
