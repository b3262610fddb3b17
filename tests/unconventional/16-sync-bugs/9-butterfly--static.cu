// unconventional: sync-bugs/9-butterfly
// Two static arrays: the compiler knows their sizes, and the launch gives none.
constexpr int threads = 256;

__global__ void exchange_kernel(const float* in, float* out, int n) {
  __shared__ float front[threads];
  __shared__ float back[threads];
  const int start = blockIdx.x * 2 * threads;
  const int tid = threadIdx.x;
  front[tid] = start + tid < n ? in[start + tid] : 0.0f;
  back[tid] = start + threads + tid < n ? in[start + threads + tid] : 0.0f;
  __syncthreads();
  if (start + tid < n) out[start + tid] = front[tid] + back[threads - 1 - tid];
  if (start + threads + tid < n) out[start + threads + tid] = back[tid] - front[threads - 1 - tid];
}

void butterfly(const float* in, float* out, int n) {
  if (n == 0) return;
  const int tiles = (n + 2 * threads - 1) / (2 * threads);
  exchange_kernel<<<tiles, threads>>>(in, out, n);
}
