// wrong: conv1d/2-shared
// mistake: Threads still read inputs from global memory that other threads read, too: a tile helps only when all three reads go to it.
// expect: gate_failed gate 128 * global_load_requests <= 5.1 * n

constexpr int kBlock = 128;

// in has n + 2 elements, out has n.
__global__ void average3(const float* in, float* out, int n) {
  __shared__ float tile[kBlock + 2];
  int t = threadIdx.x;
  int i = blockIdx.x * kBlock + t;
  if (i < n + 2) tile[t] = in[i];
  if (t < 2 && i + kBlock < n + 2) tile[t + kBlock] = in[i + kBlock];  // the halo: two threads load two more
  __syncthreads();
  if (i < n) out[i] = (tile[t] + in[i + 1] + in[i + 2]) * (1.0f / 3.0f);
}

void conv1d(const float* in, float* out, int n) {
  if (n == 0) return;
  average3<<<(n + kBlock - 1) / kBlock, kBlock>>>(in, out, n);
}
