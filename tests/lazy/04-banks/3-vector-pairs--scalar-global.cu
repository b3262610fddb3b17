// lazy: banks/3-vector-pairs
// expect: gate global_load_requests + global_store_requests <= 2.2 * n / 64
// 8-byte accesses of shared memory only.

constexpr int threads = 256;
constexpr int chunk = 2 * threads;

__global__ void reverse_chunks(const float* in, float* out, int n) {
  __shared__ float2 buf[threads];
  int t = threadIdx.x, first = blockIdx.x * chunk, length = min(chunk, n - first);
  if (length == chunk) {
    const volatile float* p = in + first + 2 * t;  // scalar loads and stores of global memory
    buf[t] = {p[0], p[1]};
    __syncthreads();
    float2 v = buf[threads - 1 - t];
    volatile float* q = out + first + 2 * t;
    q[0] = v.y; q[1] = v.x;
  } else {  // the last chunk, when it is shorter
    for (int i = t; i < length; i += threads) out[first + i] = in[first + length - 1 - i];
  }
}

void reverse(const float* in, float* out, int n) {
  if (n == 0) return;
  reverse_chunks<<<(n + chunk - 1) / chunk, threads>>>(in, out, n);
}
