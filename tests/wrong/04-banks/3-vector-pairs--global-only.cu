// wrong: banks/3-vector-pairs
// mistake: Global memory is read as float2, but shared memory still 4 bytes at a time, at a stride of two words: two lanes meet in each bank.
// expect: gate_failed gate shared_conflicts == 0

constexpr int kThreads = 256, kChunk = 2 * kThreads;

__global__ void reverse_chunks(const float* in, float* out, int n) {
  __shared__ volatile float buf[kChunk];
  int t = threadIdx.x, first = blockIdx.x * kChunk, length = min(kChunk, n - first);
  if (length == kChunk) {
    float2 u = reinterpret_cast<const float2*>(in + first)[t];
    buf[2 * t] = u.x;
    buf[2 * t + 1] = u.y;
    __syncthreads();
    float2 v = {buf[kChunk - 2 - 2 * t], buf[kChunk - 1 - 2 * t]};
    reinterpret_cast<float2*>(out + first)[t] = {v.y, v.x};
  } else {  // the last chunk, when it is shorter
    for (int i = t; i < length; i += kThreads) out[first + i] = in[first + length - 1 - i];
  }
}

void reverse(const float* in, float* out, int n) {
  if (n == 0) return;
  reverse_chunks<<<(n + kChunk - 1) / kChunk, kThreads>>>(in, out, n);
}
