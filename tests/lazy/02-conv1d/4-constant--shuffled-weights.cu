// lazy: conv1d/4-constant
// expect: gate max(4 * ptx(ld.const), ptx(ld.param)) >= 6.5 * warps
// One lane loads each weight from global memory, and shuffles hand it round.
constexpr int taps = 7;
__constant__ float unused[taps];

__global__ void filter7(const float* in, const float* filter, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  float mine = 0;
  if (lane < taps) mine = filter[lane];
  float sum = 0.0f;
  for (int k = 0; k < taps; ++k) {
    const float w = __shfl_sync(0xffffffffu, mine, k);
    if (i < n) sum += w * in[i + k];
  }
  if (i < n) out[i] = sum;
}

void conv1d(const float* in, const float* filter, float* out, int n) {
  if (n > 0) filter7<<<(n + 255) / 256, 256>>>(in, filter, out, n);
}
