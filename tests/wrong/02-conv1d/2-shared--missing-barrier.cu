// wrong: conv1d/2-shared
// mistake: A thread reads what other threads load: without __syncthreads() between, another warp may not have loaded it yet.
// expect: finding race

constexpr int kBlock = 128;

// in has n + 2 elements, out has n.
__global__ void average3(const float* in, float* out, int n) {
  __shared__ float tile[kBlock + 2];
  int t = threadIdx.x;
  int i = blockIdx.x * kBlock + t;
  if (i < n + 2) tile[t] = in[i];
  if (t < 2 && i + kBlock < n + 2) tile[t + kBlock] = in[i + kBlock];  // the halo: two threads load two more
  if (i < n) out[i] = (tile[t] + tile[t + 1] + tile[t + 2]) * (1.0f / 3.0f);
}

void conv1d(const float* in, float* out, int n) {
  if (n == 0) return;
  average3<<<(n + kBlock - 1) / kBlock, kBlock>>>(in, out, n);
}
