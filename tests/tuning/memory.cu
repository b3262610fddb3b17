#include "harness.cuh"
// conv1d, transpose, layernorm, rmsnorm, copy: candidates
template <int P> __global__ void copy4(const float4* __restrict__ a, float4* __restrict__ b, size_t n) {
  size_t i0 = (size_t)blockIdx.x * blockDim.x * P + threadIdx.x; float4 v[P];
#pragma unroll
  for (int p = 0; p < P; ++p) v[p] = __ldcs(a + i0 + p * blockDim.x);
#pragma unroll
  for (int p = 0; p < P; ++p) __stcs(b + i0 + p * blockDim.x, v[p]);
}
// conv1d: 3-point average with zero outside; each thread 4 outputs via float4 and neighbours by shuffle
template <int P> __global__ void conv3(const float* __restrict__ x, float* __restrict__ y, int n) {
  int lane = threadIdx.x % 32;
  long long base = (long long)blockIdx.x * blockDim.x * 4 * P;
  float4 v[P];
#pragma unroll
  for (int p = 0; p < P; ++p) v[p] = *reinterpret_cast<const float4*>(x + base + ((long long)p * blockDim.x + threadIdx.x) * 4);
#pragma unroll
  for (int p = 0; p < P; ++p) {
    long long i = base + ((long long)p * blockDim.x + threadIdx.x) * 4;
    float l = __shfl_up_sync(~0u, v[p].w, 1), r = __shfl_down_sync(~0u, v[p].x, 1);
    if (lane == 0) l = i > 0 ? x[i - 1] : 0.f;
    if (lane == 31) r = i + 4 < n ? x[i + 4] : 0.f;
    const float k = 1.f / 3;
    *reinterpret_cast<float4*>(y + i) = make_float4((l + v[p].x + v[p].y) * k, (v[p].x + v[p].y + v[p].z) * k, (v[p].y + v[p].z + v[p].w) * k, (v[p].z + v[p].w + r) * k);
  }
}
// transpose: TILE x TILE floats, padded; R rows a pass
template <int TILE, int R> __global__ void tr(const float* __restrict__ a, float* __restrict__ b, int n, int m) {
  __shared__ float s[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
#pragma unroll
  for (int j = 0; j < TILE; j += R) s[threadIdx.y + j][threadIdx.x] = a[(size_t)(y + j) * m + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x; y = blockIdx.x * TILE + threadIdx.y;
#pragma unroll
  for (int j = 0; j < TILE; j += R) b[(size_t)(y + j) * n + x] = s[threadIdx.x][threadIdx.y + j];
}
// 64x64 tile, each thread loads float4, 256 threads; stores float4
__global__ void __launch_bounds__(256) tr4(const float* __restrict__ a, float* __restrict__ b, int n, int m) {
  __shared__ float s[64][65];
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const float* in = a + (size_t)blockIdx.y * 64 * m + blockIdx.x * 64;
  float4 v[4];
#pragma unroll
  for (int j = 0; j < 4; ++j) v[j] = __ldcs(reinterpret_cast<const float4*>(in + (size_t)(ty + 16 * j) * m + tx * 4));
#pragma unroll
  for (int j = 0; j < 4; ++j) { int r = ty + 16 * j; s[r][tx * 4] = v[j].x; s[r][tx * 4 + 1] = v[j].y; s[r][tx * 4 + 2] = v[j].z; s[r][tx * 4 + 3] = v[j].w; }
  __syncthreads();
  float* out = b + (size_t)blockIdx.x * 64 * n + blockIdx.y * 64;
#pragma unroll
  for (int j = 0; j < 4; ++j) { int c = ty + 16 * j; __stcs(reinterpret_cast<float4*>(out + (size_t)c * n + tx * 4), make_float4(s[tx * 4][c], s[tx * 4 + 1][c], s[tx * 4 + 2][c], s[tx * 4 + 3][c])); }
}
// layernorm float: one block a row (P float4 a thread), or one warp a row
template <int T, int P, bool RMS> __global__ void __launch_bounds__(T) ln(const float* __restrict__ x, const float* __restrict__ g, const float* __restrict__ be, float* __restrict__ y) {
  constexpr int cols = T * P * 4; __shared__ float part[2][32];
  const float4* in = reinterpret_cast<const float4*>(x + (size_t)blockIdx.x * cols);
  float4 v[P]; float s = 0, q = 0;
#pragma unroll
  for (int p = 0; p < P; ++p) v[p] = __ldcs(in + p * T + threadIdx.x);
#pragma unroll
  for (int p = 0; p < P; ++p) { s += v[p].x + v[p].y + v[p].z + v[p].w; q += v[p].x * v[p].x + v[p].y * v[p].y + v[p].z * v[p].z + v[p].w * v[p].w; }
  for (int d = 16; d; d /= 2) { s += __shfl_xor_sync(~0u, s, d); q += __shfl_xor_sync(~0u, q, d); }
  if (T > 32) {
    if (threadIdx.x % 32 == 0) { part[0][threadIdx.x / 32] = s; part[1][threadIdx.x / 32] = q; }
    __syncthreads();
    s = threadIdx.x % 32 < T / 32 ? part[0][threadIdx.x % 32] : 0; q = threadIdx.x % 32 < T / 32 ? part[1][threadIdx.x % 32] : 0;
    for (int d = 16; d; d /= 2) { s += __shfl_xor_sync(~0u, s, d); q += __shfl_xor_sync(~0u, q, d); }
  }
  float mean = RMS ? 0 : s / cols, inv = rsqrtf(q / cols - mean * mean + 1e-5f);
  float4* out = reinterpret_cast<float4*>(y + (size_t)blockIdx.x * cols);
#pragma unroll
  for (int p = 0; p < P; ++p) {
    float4 w = reinterpret_cast<const float4*>(g)[p * T + threadIdx.x], b = RMS ? make_float4(0, 0, 0, 0) : reinterpret_cast<const float4*>(be)[p * T + threadIdx.x];
    __stcs(out + p * T + threadIdx.x, make_float4((v[p].x - mean) * inv * w.x + b.x, (v[p].y - mean) * inv * w.y + b.y, (v[p].z - mean) * inv * w.z + b.z, (v[p].w - mean) * inv * w.w + b.w));
  }
}
// sgemv: y = A x, one warp per row(s)
template <int W, int P> __global__ void gemv(const float* __restrict__ A, const float* __restrict__ x, float* __restrict__ y, int M, int K) {
  int row = blockIdx.x * W + threadIdx.x / 32, lane = threadIdx.x % 32; if (row >= M) return;
  const float4* a = reinterpret_cast<const float4*>(A + (size_t)row * K); const float4* xv = reinterpret_cast<const float4*>(x); float s = 0;
  for (int k = lane; k < K / 4; k += 32 * P) { float4 u[P];
#pragma unroll
    for (int p = 0; p < P; ++p) u[p] = __ldcs(a + k + p * 32);
#pragma unroll
    for (int p = 0; p < P; ++p) { float4 w = xv[k + p * 32]; s += u[p].x * w.x + u[p].y * w.y + u[p].z * w.z + u[p].w * w.w; } }
  for (int d = 16; d; d /= 2) s += __shfl_xor_sync(~0u, s, d); if (lane == 0) y[row] = s;
}
#include <cublas_v2.h>
int main() {
  size_t n = size_t(1) << 26; float *a[2], *b[2], *g; for (int i = 0; i < 2; i++) { CK(cudaMalloc(&a[i], n * 4)); CK(cudaMalloc(&b[i], n * 4)); fill_float<<<1024, 256>>>(a[i], n, i); } CK(cudaMalloc(&g, 1 << 20)); fill_float<<<64, 256>>>(g, 1 << 18, 9);
  auto rep = [&](const char* nm, double t, double bytes) { printf("%-28s %.2f us %.0f GB/s\n", nm, t, bytes / t * 1e-3); };
  double by = 2.0 * n * 4;
  rep("memcpy d2d 256MB", time_graph([&](cudaStream_t s, int i) { cudaMemcpyAsync(b[i], a[i], n * 4, cudaMemcpyDeviceToDevice, s); }, 2, 6), by);
  rep("copy4<1> 256", time_graph([&](cudaStream_t s, int i) { copy4<1><<<n / 4 / 256, 256, 0, s>>>((float4*)a[i], (float4*)b[i], n / 4); }, 2, 6), by);
  rep("copy4<2> 256", time_graph([&](cudaStream_t s, int i) { copy4<2><<<n / 8 / 256, 256, 0, s>>>((float4*)a[i], (float4*)b[i], n / 4); }, 2, 6), by);
  rep("copy4<4> 256", time_graph([&](cudaStream_t s, int i) { copy4<4><<<n / 16 / 256, 256, 0, s>>>((float4*)a[i], (float4*)b[i], n / 4); }, 2, 6), by);
  rep("copy4<4> 1024", time_graph([&](cudaStream_t s, int i) { copy4<4><<<n / 16 / 1024, 1024, 0, s>>>((float4*)a[i], (float4*)b[i], n / 4); }, 2, 6), by);
  rep("conv3<1> 256", time_graph([&](cudaStream_t s, int i) { conv3<1><<<n / 4 / 256, 256, 0, s>>>(a[i], b[i], n); }, 2, 6), by);
  rep("conv3<2> 256", time_graph([&](cudaStream_t s, int i) { conv3<2><<<n / 8 / 256, 256, 0, s>>>(a[i], b[i], n); }, 2, 6), by);
  rep("conv3<4> 256", time_graph([&](cudaStream_t s, int i) { conv3<4><<<n / 16 / 256, 256, 0, s>>>(a[i], b[i], n); }, 2, 6), by);
  rep("conv3<2> 128", time_graph([&](cudaStream_t s, int i) { conv3<2><<<n / 8 / 128, 128, 0, s>>>(a[i], b[i], n); }, 2, 6), by);
  int m = 8192;
  rep("tr 32x8", time_graph([&](cudaStream_t s, int i) { tr<32, 8><<<dim3(m / 32, m / 32), dim3(32, 8), 0, s>>>(a[i], b[i], m, m); }, 2, 6), by);
  rep("tr 32x4", time_graph([&](cudaStream_t s, int i) { tr<32, 4><<<dim3(m / 32, m / 32), dim3(32, 4), 0, s>>>(a[i], b[i], m, m); }, 2, 6), by);
  rep("tr 32x16", time_graph([&](cudaStream_t s, int i) { tr<32, 16><<<dim3(m / 32, m / 32), dim3(32, 16), 0, s>>>(a[i], b[i], m, m); }, 2, 6), by);
  rep("tr4 64", time_graph([&](cudaStream_t s, int i) { tr4<<<dim3(m / 64, m / 64), 256, 0, s>>>(a[i], b[i], m, m); }, 2, 6), by);
  { std::vector<float> x(m), y(m); cudaMemcpy(y.data(), b[0] + 5 * m, m * 4, cudaMemcpyDeviceToHost); for (int i = 0; i < m; i += 97) { float v; cudaMemcpy(&v, a[0] + (size_t)i * m + 5, 4, cudaMemcpyDeviceToHost); if (v != y[i]) { printf("tr4 WRONG\n"); break; } } }
#define LN(T, P) rep("ln " #T "x" #P, time_graph([&](cudaStream_t s, int i) { ln<T, P, false><<<n / (T * P * 4), T, 0, s>>>(a[i], g, g, b[i]); }, 2, 6), by); rep("rms " #T "x" #P, time_graph([&](cudaStream_t s, int i) { ln<T, P, true><<<n / (T * P * 4), T, 0, s>>>(a[i], g, g, b[i]); }, 2, 6), by);
  LN(32, 8) LN(64, 4) LN(128, 2) LN(256, 1) LN(128, 8) LN(256, 4) LN(512, 2) LN(1024, 1) LN(256, 8) LN(512, 4) LN(1024, 2)
  cublasHandle_t h; cublasCreate(&h); float one = 1, zero = 0;
  for (int K : {16, 32, 128, 1024, 4096, 16384}) { int M = n / K;
    double t = time_graph([&](cudaStream_t s, int i) { cublasSetStream(h, s); cublasSgemv(h, CUBLAS_OP_T, K, M, &one, a[i], K, g, 1, &zero, b[i], 1); }, 2, 6); printf("gemv M %d K %d cublas ", M, K); rep("", t, n * 4.0);
    if (K >= 512) { rep("gemv W4 P4", time_graph([&](cudaStream_t s, int i) { gemv<4, 4><<<(M + 3) / 4, 128, 0, s>>>(a[i], g, b[i], M, K); }, 2, 6), n * 4.0);
    rep("gemv W8 P4", time_graph([&](cudaStream_t s, int i) { gemv<8, 4><<<(M + 7) / 8, 256, 0, s>>>(a[i], g, b[i], M, K); }, 2, 6), n * 4.0);
    rep("gemv W4 P8", time_graph([&](cudaStream_t s, int i) { gemv<4, 8><<<(M + 3) / 4, 128, 0, s>>>(a[i], g, b[i], M, K); }, 2, 6), n * 4.0); } }
}
