// lazy: roofline/8-pointwise
// expect: gate time_us <= 1.6 * reference(self)
// 16 output channels per thread, and each weight loaded from global memory for each pixel.
constexpr int threads = 128;
constexpr int each = 16;

__global__ void pointwise_kernel(const float* in, const float* w, float* out, int inputs,
                                 int outputs, int pixels) {
  const int p = blockIdx.x * threads + threadIdx.x;
  const int first = blockIdx.y * each;
  if (p >= pixels) return;
  float sum[each] = {};
  for (int i = 0; i < inputs; ++i) {
    const float x = in[size_t(i) * pixels + p];
#pragma unroll
    for (int o = 0; o < each; ++o)
      if (first + o < outputs) sum[o] += w[(first + o) * inputs + i] * x;
  }
#pragma unroll
  for (int o = 0; o < each; ++o)
    if (first + o < outputs) out[size_t(first + o) * pixels + p] = sum[o];
}

void pointwise(const float* in, const float* w, float* out, int inputs, int outputs, int pixels) {
  if (outputs == 0 || pixels == 0) return;
  const dim3 grid((pixels + threads - 1) / threads, (outputs + each - 1) / each);
  pointwise_kernel<<<grid, threads>>>(in, w, out, inputs, outputs, pixels);
}
