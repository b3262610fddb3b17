#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cstdint>
// C[M,N] = A[M,K] B[K,N], half in, float accumulation, OUT out. wgmma m64n256k16, operands in shared memory, 128-byte swizzle.
constexpr int BM = 128, BN = 256, BK = 64, STAGES = 4, THREADS = 256;
constexpr int A_BYTES = BM * BK * 2, B_BYTES = BK * BN * 2, STAGE = A_BYTES + B_BYTES;

__device__ __forceinline__ uint64_t descriptor(uint32_t address, uint32_t leading, uint32_t stride) {
  return uint64_t((address & 0x3FFFF) >> 4) | (uint64_t(leading >> 4) << 16) | (uint64_t(stride >> 4) << 32) | (uint64_t(1) << 62);
}
__device__ __forceinline__ void wgmma(float (&d)[128], uint64_t a, uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, %128, %129, 1, 1, 1, 0, 1;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63]), "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]), "+f"(d[70]), "+f"(d[71]), "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79]), "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]), "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]), "+f"(d[96]), "+f"(d[97]), "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]), "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]), "+f"(d[110]), "+f"(d[111]), "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]), "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]), "+f"(d[120]), "+f"(d[121]), "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127]) : "l"(a), "l"(b));
}
__device__ __forceinline__ void copy16(uint32_t to, const void* from) {
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from));
}
template <class OUT>
__global__ void __launch_bounds__(THREADS, 1) hgemm(const __half* __restrict__ A, const __half* __restrict__ B, OUT* __restrict__ C, int M, int N, int K) {
  extern __shared__ __align__(1024) uint8_t smem[];
  uint32_t base = (uint32_t(__cvta_generic_to_shared(smem)) + 1023) & ~1023u;
  int t = threadIdx.x, wg = t / 128;
  int gm = M / BM, gn = N / BN;
  constexpr int G = 16;
  int id = blockIdx.x, per = G * gn, g = id / per, rows = min(G, gm - g * G);
  int bm = g * G + (id % per) % rows, bn = (id % per) / rows;
  // A: 128 rows x 8 chunks of 16 B: thread t copies chunk t%8 of rows t/8 + 32 i.
  int ar = t / 8, ac = t % 8;
  const __half* pa = A + (size_t)(bm * BM + ar) * K + ac * 8;
  uint32_t sa = ar * 128 + ((ac ^ (ar & 7)) * 16);
  // B: 64 rows x 32 chunks: thread copies chunk t%32 of rows t/32 + 8 i; column block of 64 halves = chunk/8.
  int br = t / 32, bc = t % 32;
  const __half* pb = B + (size_t)br * N + bn * BN + bc * 8;
  uint32_t sb = (bc / 8) * (BK * 128) + br * 128 + (((bc % 8) ^ (br & 7)) * 16);
  auto load = [&](int stage, int k) {
    uint32_t s = base + stage * STAGE;
#pragma unroll
    for (int i = 0; i < 4; ++i) copy16(s + sa + i * 32 * 128, pa + (size_t)i * 32 * K + k * BK);
#pragma unroll
    for (int i = 0; i < 8; ++i) copy16(s + A_BYTES + sb + i * 8 * 128, pb + (size_t)(k * BK + i * 8) * N);
  };
  float d[128];
#pragma unroll
  for (int i = 0; i < 128; ++i) d[i] = 0;
  int steps = K / BK;
#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) {
    if (s < steps) load(s, s);
    asm volatile("cp.async.commit_group;");
  }
  for (int k = 0; k < steps; ++k) {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2));
    asm volatile("fence.proxy.async.shared::cta;");
    __syncthreads();
    uint32_t s = base + (k % STAGES) * STAGE;
    asm volatile("wgmma.fence.sync.aligned;");
#pragma unroll
    for (int kk = 0; kk < BK / 16; ++kk)
      wgmma(d, descriptor(s + wg * 64 * 128 + kk * 32, 16, 1024), descriptor(s + A_BYTES + kk * 2048, BK * 128, 1024));
    asm volatile("wgmma.commit_group.sync.aligned;");
    // the stage that is refilled now was read by the wgmmas of the step before: those must have ended
    asm volatile("wgmma.wait_group.sync.aligned 1;");
    __syncthreads();
    int next = k + STAGES - 1;
    if (next < steps) load(next % STAGES, next);
    asm volatile("cp.async.commit_group;");
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;");
  int warp = t / 32 % 4, lane = t % 32;
  int row = bm * BM + wg * 64 + warp * 16 + lane / 4, col = bn * BN + lane % 4 * 2;
#pragma unroll
  for (int j = 0; j < 32; ++j)
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      OUT* p = C + (size_t)(row + h * 8) * N + col + j * 8;
      float x = d[j * 4 + h * 2], y = d[j * 4 + h * 2 + 1];
      if constexpr (sizeof(OUT) == 2) *reinterpret_cast<__half2*>(p) = __floats2half2_rn(x, y);
      else *reinterpret_cast<float2*>(p) = make_float2(x, y);
    }
}
