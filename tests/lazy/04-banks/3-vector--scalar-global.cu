// lazy: banks/3-vector
// expect: gate global_load_requests + global_store_requests <= 2.2 * n / 128
// 16-byte accesses of shared memory only.

constexpr int threads = 256;
constexpr int chunk = 4 * threads;

__global__ void reverse_chunks(const float* in, float* out, int n) {
  __shared__ float4 buf[threads];
  int t = threadIdx.x, first = blockIdx.x * chunk, length = min(chunk, n - first);
  if (length == chunk) {
    const float* p = in + first + 4 * t;  // scalar loads of global memory
    buf[t] = {p[0], p[1], p[2], p[3]};
    __syncthreads();
    float4 v = buf[threads - 1 - t];
    reinterpret_cast<float4*>(out + first)[t] = {v.w, v.z, v.y, v.x};
  } else {  // the last chunk, when it is shorter
    for (int i = t; i < length; i += threads) out[first + i] = in[first + length - 1 - i];
  }
}

void reverse(const float* in, float* out, int n) {
  if (n == 0) return;
  reverse_chunks<<<(n + chunk - 1) / chunk, threads>>>(in, out, n);
}
