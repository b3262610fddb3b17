// lazy: conv1d/3-coarsened
// expect: gate instructions <= 0.5 * reference(shared)
// Four outputs per thread from a tile in shared memory, not from registers.
constexpr int threads = 128, per_block = 4 * threads;

__global__ void average3(const float* in, float* out, int n) {
  __shared__ alignas(16) float tile[per_block + 4];
  const int t = threadIdx.x, first = blockIdx.x * per_block;
  if (first + per_block <= n) {
    reinterpret_cast<float4*>(tile)[t] = reinterpret_cast<const float4*>(in + first)[t];
    if (t == 0)
      *reinterpret_cast<float2*>(tile + per_block) = *reinterpret_cast<const float2*>(in + first + per_block);
    __syncthreads();
    const float4 a = reinterpret_cast<const float4*>(tile)[t];
    const float2 b = *reinterpret_cast<const float2*>(tile + 4 * t + 4);
    reinterpret_cast<float4*>(out + first)[t] = {(a.x + a.y + a.z) / 3.0f, (a.y + a.z + a.w) / 3.0f,
                                                 (a.z + a.w + b.x) / 3.0f, (a.w + b.x + b.y) / 3.0f};
  } else {
    for (int i = first + t; i < n; i += threads) out[i] = (in[i] + in[i + 1] + in[i + 2]) / 3.0f;
  }
}

void conv1d(const float* in, float* out, int n) {
  if (n > 0) average3<<<(n + per_block - 1) / per_block, threads>>>(in, out, n);
}
