// unconventional: reduce/1-global
// 128 threads, rounds unrolled by a template. A thread's own sum stays in a register, and is stored for
// others.
template <int S>
__device__ void round(float& sum, float* mine, int t) {
  if (t < S) mine[t] = sum += mine[t + S];
  __syncthreads();
  if constexpr (S > 1) round<S / 2>(sum, mine, t);
}
__global__ void halve(float* data, float* partials) {
  float* mine = data + 256 * blockIdx.x;
  const int t = threadIdx.x;
  float sum = mine[t];
  round<128>(sum, mine, t);
  if (t == 0) partials[blockIdx.x] = sum;
}
void reduce(float* data, float* partials, int n) {
  if (n) halve<<<n / 256, 128>>>(data, partials);
}
