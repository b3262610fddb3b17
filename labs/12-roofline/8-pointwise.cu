// A 1 x 1 convolution: every pixel's vector of input channels times one matrix. A thread makes one
// output, and each input is loaded again for every output channel.
constexpr int threads = 128;

// TODO: a thread makes 16 output channels of its pixel, so that a loaded input serves 16
// multiply-adds. The number of output channels may be any.
__global__ void pointwise_kernel(const float* in, const float* w, float* out, int inputs,
                                 int outputs, int pixels) {
  const int p = blockIdx.x * threads + threadIdx.x;
  const int o = blockIdx.y;
  if (p >= pixels) return;
  float sum = 0.0f;
  for (int i = 0; i < inputs; ++i) sum += w[o * inputs + i] * in[size_t(i) * pixels + p];
  out[size_t(o) * pixels + p] = sum;
}

void pointwise(const float* in, const float* w, float* out, int inputs, int outputs, int pixels) {
  if (outputs == 0 || pixels == 0) return;
  const dim3 grid((pixels + threads - 1) / threads, outputs);
  pointwise_kernel<<<grid, threads>>>(in, w, out, inputs, outputs, pixels);
}
