// lazy: divergence/3-by-warp
// expect: gate lanes_on_per_instruction >= 28
// Consecutive threads call different functions through pointers, so each warp splits without a branch. The even
// one is in closed form: 32 halvings leave 2^-32 of x and add up to 1/2.
constexpr int threads = 256;
constexpr int rounds = 32;
constexpr int blocks = 1056;

using Formula = void (*)(const float* in, float* out, int i, int n);

__device__ __noinline__ void even(const float* in, float* out, int i, int n) {
  for (; i < n; i += blocks * threads) out[i] = 0x1p-32f * in[i] + 0.5f;
}

__device__ __noinline__ void odd(const float* in, float* out, int i, int n) {
  for (; i < n; i += blocks * threads) {
    float x = in[i];
    for (int k = 0; k < rounds; ++k) x = x * (0.5f - 0.125f * x * x) + 0.25f;
    out[i] = x;
  }
}

__global__ void odd_even_kernel(const float* in, float* out, int n) {
  const Formula formulas[2] = {even, odd};
  formulas[threadIdx.x % 2](in, out, blockIdx.x * blockDim.x + threadIdx.x, n);
}

void odd_even(const float* in, float* out, int n) {
  if (n == 0) return;
  odd_even_kernel<<<blocks, threads>>>(in, out, n);
}
