// wrong: conv1d/3-coarsened
// mistake: Of the last outputs only one is written, where up to three are left.
// expect: wrong
// Three-point average, four outputs per thread from a window of six inputs in registers.
// Bound by DRAM, with a quarter of the blocks and of the instructions: two requests for 128
// outputs, and no barrier.

// in has n + 2 elements, out has n.
__global__ void average3(const float* in, float* out, int n) {
  const float third = 1.0f / 3.0f;
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);  // this thread's first output
  if (i + 4 <= n) {
    float4 a = *reinterpret_cast<const float4*>(in + i);      // in[i] ... in[i+3]
    float2 b = *reinterpret_cast<const float2*>(in + i + 4);  // in[i+4], in[i+5]
    float4 sum = {a.x + a.y + a.z, a.y + a.z + a.w, a.z + a.w + b.x, a.w + b.x + b.y};
    *reinterpret_cast<float4*>(out + i) = {sum.x * third, sum.y * third, sum.z * third,
                                           sum.w * third};
  } else {
    if (i < n) out[i] = (in[i] + in[i + 1] + in[i + 2]) * third;
  }
}

void conv1d(const float* in, float* out, int n) {
  if (n == 0) return;
  const int block = 128, per_block = 4 * block;
  average3<<<(n + per_block - 1) / per_block, block>>>(in, out, n);
}
