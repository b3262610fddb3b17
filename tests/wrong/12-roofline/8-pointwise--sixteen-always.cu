// wrong: roofline/8-pointwise
// mistake: The number of output channels is any: the last block has fewer than 16. Check each before it is stored.
// expect: finding out_of_bounds
constexpr int threads = 128;
constexpr int each = 16;   // output channels per thread
constexpr int depth = 32;  // input channels whose weights are in shared memory

__global__ void pointwise_kernel(const float* in, const float* w, float* out, int inputs,
                                 int outputs, int pixels) {
  __shared__ float tile[depth][each + 1];  // one more: no bank conflicts when it is filled
  const int p = blockIdx.x * threads + threadIdx.x;
  const int first = blockIdx.y * each;
  float sum[each] = {};
  for (int i0 = 0; i0 < inputs; i0 += depth) {
    __syncthreads();  // all threads are done with the tile before
    for (int t = threadIdx.x; t < each * depth; t += threads) {
      const int o = first + t / depth;
      const int i = i0 + t % depth;
      tile[t % depth][t / depth] = o < outputs && i < inputs ? w[o * inputs + i] : 0.0f;
    }
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < depth; ++k) {
      const float x = p < pixels && i0 + k < inputs ? in[size_t(i0 + k) * pixels + p] : 0.0f;
#pragma unroll
      for (int o = 0; o < each; ++o) sum[o] += tile[k][o] * x;
    }
  }
#pragma unroll
  for (int o = 0; o < each; ++o)
    if (p < pixels) out[size_t(first + o) * pixels + p] = sum[o];
}

void pointwise(const float* in, const float* w, float* out, int inputs, int outputs, int pixels) {
  if (outputs == 0 || pixels == 0) return;
  const dim3 grid((pixels + threads - 1) / threads, (outputs + each - 1) / each);
  pointwise_kernel<<<grid, threads>>>(in, w, out, inputs, outputs, pixels);
}
