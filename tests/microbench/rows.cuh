// The kernels of rows.cu, without a clock, so that the SIMT machine's time model can run the same ones
// (tests/simt/timing_rows.cpp). A block is WARPS warps; a warp has a row of 128 * PACKS floats.
#pragma once

/// What a row is for: loaded and stored; then two rounds of five shuffles; then an exponential an element between them; then
/// a division an element behind them.
enum RowWork { kMove, kShuffles, kExponentials, kDivisions };

template <int PACKS, int WORK, bool STORE> __device__ void row_body(const float4* in, float4* out) {
  const int lane = threadIdx.x % 32, row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const float4* from = in + size_t(row) * PACKS * 32;
  float v[PACKS][4];
#pragma unroll
  for (int k = 0; k < PACKS; ++k) {
    const float4 p = from[lane + 32 * k];
    v[k][0] = p.x, v[k][1] = p.y, v[k][2] = p.z, v[k][3] = p.w;
  }
  float most = 0, sum = 0;
  if (WORK >= kShuffles) {
#pragma unroll
    for (int k = 0; k < PACKS * 4; ++k) most = fmaxf(most, v[k / 4][k % 4]);
    for (int d = 16; d > 0; d /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
#pragma unroll
    for (int k = 0; k < PACKS * 4; ++k) {
      if (WORK >= kExponentials) v[k / 4][k % 4] = __expf(v[k / 4][k % 4] - most);
      sum += v[k / 4][k % 4];
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  }
  if (!STORE) {  // one word a row
    if (lane == 0) reinterpret_cast<float*>(out)[row] = sum;
    return;
  }
  float4* to = out + size_t(row) * PACKS * 32;
#pragma unroll
  for (int k = 0; k < PACKS; ++k) {
    if (WORK == kShuffles || WORK == kExponentials)
#pragma unroll
      for (int j = 0; j < 4; ++j) v[k][j] *= sum;
    if (WORK == kDivisions)
#pragma unroll
      for (int j = 0; j < 4; ++j) v[k][j] = __fdividef(v[k][j], sum);
    to[lane + 32 * k] = make_float4(v[k][0], v[k][1], v[k][2], v[k][3]);
  }
}
