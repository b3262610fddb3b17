// lazy: coalescing/3-structures
// expect: gate global_load_sectors <= 3 * n / 8 + 8
// Shared memory is there, but each thread loads its own vector into it: the strided loads stay.
constexpr int threads = 256;

__global__ void lengths_kernel(const float* xyz, float* out, int n) {
  __shared__ float s[3 * threads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int k = 0; k < 3; ++k) s[3 * threadIdx.x + k] = xyz[3 * i + k];
  }
  __syncthreads();
  if (i >= n) return;
  const float x = s[3 * threadIdx.x];
  const float y = s[3 * threadIdx.x + 1];
  const float z = s[3 * threadIdx.x + 2];
  out[i] = sqrtf(x * x + y * y + z * z);
}

void lengths(const float* xyz, float* out, int n) {
  if (n == 0) return;
  lengths_kernel<<<(n + threads - 1) / threads, threads>>>(xyz, out, n);
}
