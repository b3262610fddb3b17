// lazy: banks/3-vector
// expect: gate shared_load_lane_bytes >= 500 * shared_loads
constexpr int threads = 256;
constexpr int chunk = 1024;

__global__ void reverse_chunks(const float* in, float* out, int n) {
  __shared__ float2 buf[512];
  int t = threadIdx.x, first = blockIdx.x * chunk, length = min(chunk, n - first);
  if (length == chunk) {
    for (int i = t; i < 512; i += threads) buf[i] = reinterpret_cast<const float2*>(in + first)[i];
    __syncthreads();
    for (int i = t; i < 512; i += threads) {
      const float2 v = buf[511 - i];
      reinterpret_cast<float2*>(out + first)[i] = {v.y, v.x};
    }
  } else {  // the last chunk, when it is shorter
    for (int i = t; i < length; i += threads) out[first + i] = in[first + length - 1 - i];
  }
}

void reverse(const float* in, float* out, int n) {
  if (n == 0) return;
  reverse_chunks<<<(n + chunk - 1) / chunk, threads>>>(in, out, n);
}
