// Three-point average from shared memory: a block of 128 loads its 130 inputs (520 bytes) once, then every
// thread reads its three from there. 5 load requests and 17 sectors a block instead of 12 and 56.
// Bound by DRAM, as before: the repeats had been answered by the L1. What falls is the load on the L1.

constexpr int kBlock = 128;

// in has n + 2 elements, out has n.
__global__ void average3(const float* in, float* out, int n) {
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
