// unconventional: conv1d/3-coarsened
template <int outputs>
__global__ void average3(const float* __restrict__ in, float* __restrict__ out, int n) {
  const int i = outputs * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + outputs <= n) {
    float w[outputs + 2];
#pragma unroll
    for (int k = 0; k < outputs; k += 4) {
      const float4 v = __ldg(reinterpret_cast<const float4*>(in + i + k));
      w[k] = v.x, w[k + 1] = v.y, w[k + 2] = v.z, w[k + 3] = v.w;
    }
    const float2 v = __ldg(reinterpret_cast<const float2*>(in + i + outputs));
    w[outputs] = v.x, w[outputs + 1] = v.y;
#pragma unroll
    for (int k = 0; k < outputs; k += 4) {
      float s[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) s[j] = (w[k + j] + w[k + j + 1] + w[k + j + 2]) * (1.0f / 3.0f);
      *reinterpret_cast<float4*>(out + i + k) = make_float4(s[0], s[1], s[2], s[3]);
    }
  } else {
    for (int j = i; j < n; ++j) out[j] = (in[j] + in[j + 1] + in[j + 2]) * (1.0f / 3.0f);
  }
}

void conv1d(const float* in, float* out, int n) {
  if (n > 0) average3<8><<<(n + 8 * 64 - 1) / (8 * 64), 64>>>(in, out, n);
}
