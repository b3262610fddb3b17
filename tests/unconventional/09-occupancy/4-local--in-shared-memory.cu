// unconventional: occupancy/4-local
// The numbers lie in shared memory, where an index may be anything: 20 KiB per block of 128 threads.
constexpr int threads = 128;
constexpr int numbers = 40;

__global__ void pick_kernel(const float* in, const int* which, float* out, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  __shared__ float v[numbers][threads];
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < numbers; ++k) v[k][threadIdx.x] = in[k * n + i];
  for (int k = 0; k < numbers; ++k) sum += v[k][threadIdx.x];
  const int w = which[i];
  out[i] = v[w][threadIdx.x] - sum / numbers;
}

void pick(const float* in, const int* which, float* out, int n) {
  if (n == 0) return;
  pick_kernel<<<(n + threads - 1) / threads, threads>>>(in, which, out, n);
}
