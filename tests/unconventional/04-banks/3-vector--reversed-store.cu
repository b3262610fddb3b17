// unconventional: banks/3-vector
constexpr int threads = 256;
constexpr int chunk = 4 * threads;

__global__ void reverse_chunks(const float* in, float* out, int n) {
  __shared__ float4 buf[threads];
  int t = threadIdx.x, first = blockIdx.x * chunk, length = min(chunk, n - first);
  if (length == chunk) {
    const float4 p = reinterpret_cast<const float4*>(in + first)[t];
    buf[threads - 1 - t] = make_float4(p.w, p.z, p.y, p.x);
    __syncthreads();
    reinterpret_cast<float4*>(out + first)[t] = buf[t];
  } else {  // the last chunk, when it is shorter
    for (int i = t; i < length; i += threads) out[first + i] = in[first + length - 1 - i];
  }
}

void reverse(const float* in, float* out, int n) {
  if (n == 0) return;
  reverse_chunks<<<(n + chunk - 1) / chunk, threads>>>(in, out, n);
}
