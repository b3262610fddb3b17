// wrong: occupancy/4-local
// mistake: Of forty numbers the last has index 39: the comparison with 39 is missing, so v[0] stands for it.
// expect: wrong
// A thread's forty numbers less their mean: the one that which[i] names.
constexpr int threads = 256, numbers = 40;

__global__ void pick_kernel(const float* in, const int* which, float* out, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  float v[numbers], sum = 0.0f;
#pragma unroll
  for (int k = 0; k < numbers; ++k) v[k] = in[k * n + i];
  for (int k = 0; k < numbers; ++k) sum += v[k];
  const int w = which[i];
  float picked = v[0];
#pragma unroll
  for (int k = 1; k < numbers - 1; ++k)
    if (k == w) picked = v[k];
  out[i] = picked - sum / numbers;
}

void pick(const float* in, const int* which, float* out, int n) {
  if (n == 0) return;
  pick_kernel<<<(n + threads - 1) / threads, threads>>>(in, which, out, n);
}
