// lazy: banks/3-vector-pairs
// expect: gate shared_loads <= 1.02 * n / 64
constexpr int threads = 256;
constexpr int chunk = 2 * threads;

__global__ void reverse_chunks(const float* in, float* out, int n) {
  __shared__ float buf[chunk];
  int t = threadIdx.x, first = blockIdx.x * chunk, length = min(chunk, n - first);
  if (length == chunk) {
    for (int i = t; i < chunk; i += threads) buf[i] = in[first + i];
    __syncthreads();
    for (int i = t; i < chunk; i += threads) out[first + i] = buf[chunk - 1 - i];
  } else {  // the last chunk, when it is shorter
    for (int i = t; i < length; i += threads) out[first + i] = in[first + length - 1 - i];
  }
}

void reverse(const float* in, float* out, int n) {
  if (n == 0) return;
  reverse_chunks<<<(n + chunk - 1) / chunk, threads>>>(in, out, n);
}
