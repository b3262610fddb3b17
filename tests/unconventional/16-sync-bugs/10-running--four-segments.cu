// unconventional: sync-bugs/10-running
// Four segments per block of 1024 threads; the sum before a block and its flag travel in one word.
constexpr int threads = 1024;
__device__ unsigned long long posted[1 << 16];  // {1, sum up to the block} or 0

__global__ void running_kernel(const float* in, float* sums, int n, unsigned round) {
  __shared__ float s[32];
  const int i = blockIdx.x * threads + threadIdx.x;
  float v = i < n ? in[i] : 0.0f;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x > 0) return;
  float of[4] = {};
  for (int w = 0; w < 32; ++w) of[w / 8] += s[w];
  float before = 0;
  if (blockIdx.x > 0) {
    volatile unsigned long long* word = posted + blockIdx.x - 1;
    unsigned long long got;
    do got = *word;
    while (got >> 32 != round);
    before = __uint_as_float(unsigned(got));
  }
  for (int k = 0; k < 4; ++k) {
    before += of[k];
    const int segment = 4 * blockIdx.x + k;
    if (256 * segment < n) sums[segment] = before;
  }
  const auto mine = (unsigned long long)round << 32 | __float_as_uint(before);
  *static_cast<volatile unsigned long long*>(posted + blockIdx.x) = mine;
}

void running(const float* in, float* sums, int n) {
  static unsigned round = 0;
  if (n == 0) return;
  running_kernel<<<(n + threads - 1) / threads, threads>>>(in, sums, n, ++round);
}
