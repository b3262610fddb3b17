// wrong: banks/3-vector
// mistake: The float4 lie two apart: now lanes meet in the banks. Consecutive ones are free of conflicts.
// expect: gate_failed gate shared_conflicts == 0

constexpr int kThreads = 256, kChunk = 4 * kThreads;

__global__ void reverse_chunks(const float* in, float* out, int n) {
  __shared__ float4 buf[2 * kThreads];
  int t = threadIdx.x, first = blockIdx.x * kChunk, length = min(kChunk, n - first);
  if (length == kChunk) {
    buf[2 * t] = reinterpret_cast<const float4*>(in + first)[t];
    __syncthreads();
    float4 v = buf[2 * (kThreads - 1 - t)];
    reinterpret_cast<float4*>(out + first)[t] = {v.w, v.z, v.y, v.x};
  } else {  // the last chunk, when it is shorter
    for (int i = t; i < length; i += kThreads) out[first + i] = in[first + length - 1 - i];
  }
}

void reverse(const float* in, float* out, int n) {
  if (n == 0) return;
  reverse_chunks<<<(n + kChunk - 1) / kChunk, kThreads>>>(in, out, n);
}
