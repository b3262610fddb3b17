// unconventional: conv1d/6-conv2d-nhwc
// Four filters per thread where K allows it: weights and results as float4.
template <class V>
__global__ void k(const float* __restrict__ in, const float* __restrict__ filter, float* __restrict__ out, int C, int K, int H, int W, int R, int S, int total) {
  constexpr int L = sizeof(V) / 4;
  const int P = H - R + 1, Q = W - S + 1, groups = K / L;
  const int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g >= total) return;
  const int kk = g % groups * L, pix = g / groups, q = pix % Q, p = pix / Q % P, image = pix / Q / P;
  float s[L] = {};
  for (int r = 0; r < R; ++r)
    for (int t = 0; t < S; ++t) {
      const float* x = in + (size_t(image * H + p + r) * W + q + t) * C;
      const float* w = filter + size_t(r * S + t) * C * K + kk;
#pragma unroll 4
      for (int c = 0; c < C; ++c) {
        const V u = *reinterpret_cast<const V*>(w + size_t(c) * K);
        const float v = x[c];
#pragma unroll
        for (int j = 0; j < L; ++j) s[j] = fmaf(v, reinterpret_cast<const float*>(&u)[j], s[j]);
      }
    }
  V o;
#pragma unroll
  for (int j = 0; j < L; ++j) reinterpret_cast<float*>(&o)[j] = s[j];
  *reinterpret_cast<V*>(out + size_t(pix) * K + kk) = o;
}
void conv2d(const float* in, const float* filter, float* out, int N, int C, int K, int H, int W, int R, int S) {
  const int P = H - R + 1, Q = W - S + 1;
  if (N == 0 || K == 0 || P <= 0 || Q <= 0) return;
  if (K % 4 == 0) { const int t = N * P * Q * (K / 4); k<float4><<<(t + 127) / 128, 128>>>(in, filter, out, C, K, H, W, R, S, t); }
  else { const int t = N * P * Q * K; k<float><<<(t + 127) / 128, 128>>>(in, filter, out, C, K, H, W, R, S, t); }
}
