// wrong: banks/3-vector-pairs
// mistake: The pairs change places, but their halves don't.
// expect: wrong

constexpr int kThreads = 256, kChunk = 2 * kThreads;

__global__ void reverse_chunks(const float* in, float* out, int n) {
  __shared__ float2 buf[kThreads];
  int t = threadIdx.x, first = blockIdx.x * kChunk, length = min(kChunk, n - first);
  if (length == kChunk) {
    buf[t] = reinterpret_cast<const float2*>(in + first)[t];
    __syncthreads();
    float2 v = buf[kThreads - 1 - t];
    reinterpret_cast<float2*>(out + first)[t] = {v.x, v.y};
  } else {  // the last chunk, when it is shorter
    for (int i = t; i < length; i += kThreads) out[first + i] = in[first + length - 1 - i];
  }
}

void reverse(const float* in, float* out, int n) {
  if (n == 0) return;
  reverse_chunks<<<(n + kChunk - 1) / kChunk, kThreads>>>(in, out, n);
}
