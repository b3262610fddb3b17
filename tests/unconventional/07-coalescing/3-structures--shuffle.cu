// unconventional: coalescing/3-structures
// A warp loads 96 consecutive floats into registers, and shuffles hand each lane its three: no
// shared memory.
constexpr int threads = 128;

__global__ void lengths_kernel(const float* xyz, float* out, int n) {
  const int lane = threadIdx.x % 32;
  const int first = blockIdx.x * threads + threadIdx.x - lane;  // the warp's first vector
  float loaded[3];
  for (int k = 0; k < 3; ++k) {
    const int at = 3 * first + 32 * k + lane;
    loaded[k] = at < 3 * n ? xyz[at] : 0.0f;
  }
  float part[3];
  for (int k = 0; k < 3; ++k) {
    const int at = 3 * lane + k;  // of the warp's 96 floats
    const float a = __shfl_sync(0xffffffffu, loaded[0], at % 32);
    const float b = __shfl_sync(0xffffffffu, loaded[1], at % 32);
    const float c = __shfl_sync(0xffffffffu, loaded[2], at % 32);
    part[k] = at < 32 ? a : (at < 64 ? b : c);
  }
  const int i = first + lane;
  if (i < n) out[i] = sqrtf(part[0] * part[0] + part[1] * part[1] + part[2] * part[2]);
}

void lengths(const float* xyz, float* out, int n) {
  if (n == 0) return;
  lengths_kernel<<<(n + threads - 1) / threads, threads>>>(xyz, out, n);
}
