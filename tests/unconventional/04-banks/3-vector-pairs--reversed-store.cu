// unconventional: banks/3-vector-pairs
constexpr int threads = 256;
constexpr int chunk = 2 * threads;

__global__ void reverse_chunks(const float* in, float* out, int n) {
  __shared__ float2 buf[threads];
  int t = threadIdx.x, first = blockIdx.x * chunk, length = min(chunk, n - first);
  if (length == chunk) {
    const float2 p = reinterpret_cast<const float2*>(in + first)[t];
    buf[threads - 1 - t] = make_float2(p.y, p.x);
    __syncthreads();
    reinterpret_cast<float2*>(out + first)[t] = buf[t];
  } else {  // the last chunk, when it is shorter
    for (int i = t; i < length; i += threads) out[first + i] = in[first + length - 1 - i];
  }
}

void reverse(const float* in, float* out, int n) {
  if (n == 0) return;
  reverse_chunks<<<(n + chunk - 1) / chunk, threads>>>(in, out, n);
}
