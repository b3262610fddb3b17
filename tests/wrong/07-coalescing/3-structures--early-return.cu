// wrong: coalescing/3-structures
// mistake: Threads without a vector left before the barrier, and their part of the tile is never loaded.
// expect: finding
constexpr int threads = 256;

__global__ void lengths_kernel(const float* xyz, float* out, int n) {
  __shared__ float s[3 * threads];
  const int start = blockIdx.x * blockDim.x;
  if (start + threadIdx.x >= n) return;
  for (int k = threadIdx.x; k < 3 * threads; k += threads)
    if (3 * start + k < 3 * n) s[k] = xyz[3 * start + k];
  __syncthreads();

  const int i = start + threadIdx.x;
  if (i >= n) return;
  const float x = s[3 * threadIdx.x], y = s[3 * threadIdx.x + 1], z = s[3 * threadIdx.x + 2];
  out[i] = sqrtf(x * x + y * y + z * z);
}

void lengths(const float* xyz, float* out, int n) {
  if (n == 0) return;
  lengths_kernel<<<(n + threads - 1) / threads, threads>>>(xyz, out, n);
}
