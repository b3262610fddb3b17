// Turns round every chunk of 512 floats, through shared memory, 4 bytes a lane and two accesses for each
// thread. Use 8-byte accesses. Is a warp's read of 32 float2, 64 words in 32 banks, a conflict?

constexpr int kThreads = 256, kChunk = 2 * kThreads;

__global__ void reverse_chunks(const float* in, float* out, int n) {
  // TODO: 8 bytes a lane: a float2 from in, to shared memory, from there, and to out. Its halves change
  // places, too.
  __shared__ float buf[kChunk];
  int t = threadIdx.x, first = blockIdx.x * kChunk, length = min(kChunk, n - first);
  if (length == kChunk) {
    for (int i = t; i < kChunk; i += kThreads) buf[i] = in[first + i];
    __syncthreads();
    for (int i = t; i < kChunk; i += kThreads) out[first + i] = buf[kChunk - 1 - i];
  } else {  // the last chunk, when it is shorter
    for (int i = t; i < length; i += kThreads) out[first + i] = in[first + length - 1 - i];
  }
}

void reverse(const float* in, float* out, int n) {
  if (n == 0) return;
  reverse_chunks<<<(n + kChunk - 1) / kChunk, kThreads>>>(in, out, n);
}
