// lazy: banks/3-vector
// expect: gate shared_exchanged_bytes >= 3.8 * n
// Each thread stores to its own word and loads it back: the addresses in global memory reverse the
// chunk.
constexpr int threads = 256;
constexpr int chunk = 4 * threads;

__global__ void reverse_chunks(const float* in, float* out, int n) {
  __shared__ float4 buf[threads];
  int t = threadIdx.x, first = blockIdx.x * chunk, length = min(chunk, n - first);
  if (length == chunk) {
    buf[t] = reinterpret_cast<const float4*>(in + first)[threads - 1 - t];
    asm volatile("" ::: "memory");
    float4 v = buf[t];
    reinterpret_cast<float4*>(out + first)[t] = {v.w, v.z, v.y, v.x};
  } else {  // the last chunk, when it is shorter
    for (int i = t; i < length; i += threads) out[first + i] = in[first + length - 1 - i];
  }
}

void reverse(const float* in, float* out, int n) {
  if (n == 0) return;
  reverse_chunks<<<(n + chunk - 1) / chunk, threads>>>(in, out, n);
}
