// lazy: sync-bugs/9-butterfly
// expect: gate shared_exchanged_bytes >= 3.8 * n
// Each thread uses its own two words of a static array: nothing is cut from dynamic shared memory.
constexpr int threads = 256;
__global__ void exchange_kernel(const float* in, float* out, int n) {
  __shared__ float s[2 * threads];
  volatile float* front = s;
  volatile float* back = s + threads;
  const int a = blockIdx.x * 2 * threads + threadIdx.x;
  const int b = (blockIdx.x + 1) * 2 * threads - 1 - threadIdx.x;
  front[threadIdx.x] = a < n ? in[a] : 0.0f;
  back[threadIdx.x] = b < n ? in[b] : 0.0f;
  const float x = front[threadIdx.x], y = back[threadIdx.x];
  if (a < n) out[a] = x + y;
  if (b < n) out[b] = y - x;
}
void butterfly(const float* in, float* out, int n) {
  if (n == 0) return;
  exchange_kernel<<<(n + 2 * threads - 1) / (2 * threads), threads>>>(in, out, n);
}
