// Three-point average from shared memory. Every input is now loaded once from global memory, but read three
// times from shared memory. Let a thread make four neighbouring outputs from six inputs that it keeps in
// registers.

constexpr int kBlock = 128;

// in has n + 2 elements, out has n.
__global__ void average3(const float* in, float* out, int n) {
  // TODO: outputs 4i to 4i + 3 a thread. Load in[4i] ... in[4i+5] with one float4 and one float2, straight
  // from global memory (4i floats are a multiple of 16 bytes); store one float4. No shared memory, no
  // barrier. The last one to three outputs go one by one. A block makes four times as many outputs: mind the
  // grid.
  __shared__ float tile[kBlock + 2];
  int t = threadIdx.x;
  int i = blockIdx.x * kBlock + t;
  if (i < n + 2) tile[t] = in[i];
  if (t < 2 && i + kBlock < n + 2) tile[t + kBlock] = in[i + kBlock];  // the halo: two threads load two more
  __syncthreads();
  if (i < n) out[i] = (tile[t] + tile[t + 1] + tile[t + 2]) * (1.0f / 3.0f);
}

void conv1d(const float* in, float* out, int n) {
  if (n == 0) return;
  average3<<<(n + kBlock - 1) / kBlock, kBlock>>>(in, out, n);
}
