// lazy: conv1d/2-shared
// expect: gate shared_load_lane_bytes >= 4.9 * n
__global__ void average3(const float* in, float* out, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * 128 + threadIdx.x;
  const float a = i < n + 2 ? in[i] : 0.0f;
  float b = __shfl_down_sync(0xffffffff, a, 1);
  float c = __shfl_down_sync(0xffffffff, a, 2);
  if (lane == 31 && i + 1 < n + 2) b = in[i + 1];
  if (lane >= 30 && i + 2 < n + 2) c = in[i + 2];
  if (i < n) out[i] = (a + b + c) * (1.0f / 3.0f);
}

void conv1d(const float* in, float* out, int n) {
  if (n > 0) average3<<<(n + 127) / 128, 128>>>(in, out, n);
}
