// lazy: conv1d/4-constant
// expect: gate global_load_lane_bytes <= 1.02 * 32 * global_load_sectors
// The weights come from global memory, and four outputs share them. Seven parameters are for show.
struct Show { float v[7]; };
// Four outputs per thread, and the weights from global memory.
__global__ void filter7(const float* in, const float* w, float* out, int n, Show show) {
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  if (show.v[0] + show.v[1] + show.v[2] + show.v[3] + show.v[4] + show.v[5] + show.v[6] > 0) return;
  float f[7];
  alignas(16) float x[12];
  _Pragma("unroll") for (int k = 0; k < 7; ++k) f[k] = w[k];
  if (i + 4 <= n && i + 12 <= n + 6) {
    *(float4*)x = *(const float4*)(in + i);
    *(float4*)(x + 4) = *(const float4*)(in + i + 4);
    *(float2*)(x + 8) = *(const float2*)(in + i + 8);
    float4 s = {0, 0, 0, 0};
    _Pragma("unroll") for (int k = 0; k < 7; ++k) {
      s.x += f[k] * x[k];
      s.y += f[k] * x[k + 1];
      s.z += f[k] * x[k + 2];
      s.w += f[k] * x[k + 3];
    }
    *(float4*)(out + i) = s;
  } else
    for (int j = i; j < n && j < i + 4; ++j) {
      float s = 0;
      _Pragma("unroll") for (int k = 0; k < 7; ++k) s += f[k] * in[j + k];
      out[j] = s;
    }
}
void conv1d(const float* in, const float* filter, float* out, int n) {
  if (n) filter7<<<(n + 1023) / 1024, 256>>>(in, filter, out, n, Show{});
}
