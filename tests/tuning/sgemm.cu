#include <cuda_runtime.h>
#include <cuda_pipeline.h>
// B by cp.async, A through registers (transposed on the way). STAGES shared buffers.
template <int BM, int BN, int BK, int WM, int WN, int LM, int LN, int MINB, int ACP>
__global__ void __launch_bounds__((BM / WM) * (BN / WN) * 32, MINB)
sgemm2(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N, int K) {
  constexpr int T = (BM / WM) * (BN / WN) * 32;
  constexpr int TM = WM / LM, TN = WN / LN, PM = TM / 4, PN = TN / 4;
  constexpr int AP = BM * BK / 4 / T, BP = BK * BN / 4 / T;
  constexpr int SA = BM + 4, SB = BN;
  extern __shared__ float4 raw[];
  float* As = reinterpret_cast<float*>(raw);            // [2][BK][SA]
  float* Bs = As + 2 * BK * SA;                         // [2][BK][SB]
  int t = threadIdx.x, warp = t / 32, lane = t % 32;
  int gm = M / BM, gn = N / BN;
  constexpr int G = 8;
  int id = blockIdx.x, per = G * gn, g = id / per, rows = min(G, gm - g * G);
  int bm = g * G + (id % per) % rows, bn = (id % per) / rows;
  int wm = (warp / (BN / WN)) * WM, wn = (warp % (BN / WN)) * WN;
  int lm = (lane / LN) * 4, ln = (lane % LN) * 4;
  // this thread's places
  int am = t / (BK / 4), ak = t % (BK / 4) * 4;
  int bk = t / (BN / 4), bc = t % (BN / 4) * 4;
  const float* a = A + (size_t)(bm * BM + am) * K + ak;
  const float* b = B + (size_t)bk * N + bn * BN + bc;
  float4 ra[AP];
  auto fetchA = [&]() {
#pragma unroll
    for (int i = 0; i < AP; ++i) ra[i] = *reinterpret_cast<const float4*>(a + (size_t)i * (T / (BK / 4)) * K);
  };
  auto fetchB = [&](float* s) {
#pragma unroll
    for (int i = 0; i < BP; ++i) __pipeline_memcpy_async(s + (bk + i * (T / (BN / 4))) * SB + bc, b + (size_t)i * (T / (BN / 4)) * N, 16);
    __pipeline_commit();
  };
  auto put = [&](float* s) {
#pragma unroll
    for (int i = 0; i < AP; ++i) {
      float* d = s + ak * SA + am + i * (T / (BK / 4));
      d[0] = ra[i].x; d[SA] = ra[i].y; d[2 * SA] = ra[i].z; d[3 * SA] = ra[i].w;
    }
  };
  float acc[TM][TN] = {};
  float fa[2][TM], fb[2][TN];
  auto frag = [&](const float* sa, const float* sb, int k, int w) {
#pragma unroll
    for (int i = 0; i < PM; ++i) *reinterpret_cast<float4*>(&fa[w][i * 4]) = *reinterpret_cast<const float4*>(sa + k * SA + wm + i * LM * 4 + lm);
#pragma unroll
    for (int i = 0; i < PN; ++i) *reinterpret_cast<float4*>(&fb[w][i * 4]) = *reinterpret_cast<const float4*>(sb + k * SB + wn + i * LN * 4 + ln);
  };
  auto mma = [&](int w) {
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
      for (int j = 0; j < TN; ++j) acc[i][(i & 1) ? TN - 1 - j : j] += fa[w][i] * fb[w][(i & 1) ? TN - 1 - j : j];
  };
  fetchA(); fetchB(Bs); put(As);
  __pipeline_wait_prior(0); __syncthreads();
  frag(As, Bs, 0, 0);
  auto step = [&](float* sa, float* sb, float* na, float* nb, bool more) {
    if (more) { a += BK; b += (size_t)BK * N; fetchA(); fetchB(nb); }
#pragma unroll
    for (int k = 0; k < BK - 1; ++k) { frag(sa, sb, k + 1, (k + 1) % 2); mma(k % 2); }
    if (more) { put(na); __pipeline_wait_prior(0); }
    __syncthreads();
    if (more) frag(na, nb, 0, 0);
    mma((BK - 1) % 2);
  };
  for (int k0 = 0; k0 < K; k0 += 2 * BK) {
    step(As, Bs, As + BK * SA, Bs + BK * SB, true);
    step(As + BK * SA, Bs + BK * SB, As, Bs, k0 + 2 * BK < K);
  }
#pragma unroll
  for (int i = 0; i < TM; ++i) {
    int m = bm * BM + wm + (i / 4) * LM * 4 + lm + i % 4;
#pragma unroll
    for (int j = 0; j < PN; ++j)
      *reinterpret_cast<float4*>(&C[(size_t)m * N + bn * BN + wn + j * LN * 4 + ln]) = make_float4(acc[i][j * 4], acc[i][j * 4 + 1], acc[i][j * 4 + 2], acc[i][j * 4 + 3]);
  }
}
