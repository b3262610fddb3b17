// What the kernels of cusync_mlp.cu share: the sizes, semaphores between the blocks of two products, one wgmma, and how a
// block's results are stored.
#pragma once
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

constexpr int K1 = 12288, N1 = 6144, N2 = 12288;  // X[M x K1] . W1[K1 x N1] = C, C . W2[N1 x N2] = E
constexpr int BM = 128, BN = 256, BK = 64, STAGES = 4;
constexpr int A_BYTES = BM * BK * 2, B_BYTES = BK * BN * 2, STAGE = A_BYTES + B_BYTES;
constexpr int SMEM = STAGES * STAGE + 2048;  // alignment, and the barriers

// ---------------------------------------------------------------------------------------------------------- semaphores
// words[0] blocks of the second product that are done, words[1] blocks of the first that started, then the semaphores.
// Every post is waited for by a block of the second product, so the last of those may set all words back: no memset.
constexpr int FIRST_SEMAPHORE = 32;
enum Mode { none, row, tile, dependent };  // what a block of the second product waits for; dependent: the whole launch

struct Sync {
  unsigned* words;
  int mode;
  int programmatic;  // the next kernel may start when all blocks of this one have
  int posts;         // a tile's
  unsigned blocks2;  // of the second product, or of the kernel for both: the last one resets
};

__device__ __forceinline__ unsigned acquire(const unsigned* p) {
  unsigned v;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ __forceinline__ void release_add(unsigned* p) {
  asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(p) : "memory");
}
__device__ __forceinline__ long long now() {
  long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}
/// Polls; a wait of four seconds is a hang, and ends the kernel.
__device__ __forceinline__ void wait_for(const unsigned* p, unsigned count) {
  if (acquire(p) >= count) return;
  const long long start = now();
  while (acquire(p) < count)
    if (now() - start > 4000000000ll) __trap();  // (a printf would serialise the wgmmas around its call)
}
__device__ __forceinline__ const unsigned* semaphore(const Sync& s, int tile_m, int column) {
  return s.words + FIRST_SEMAPHORE + (s.mode == row ? tile_m : tile_m * (N1 / BN) + column);
}
__device__ __forceinline__ unsigned needed(const Sync& s) { return s.mode == row ? s.posts * (N1 / BN) : s.posts; }
__device__ __forceinline__ void launch_dependents() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }
__device__ __forceinline__ void wait_dependency() { asm volatile("griddepcontrol.wait;" ::: "memory"); }

/// One thread of a block of the second product, after its last wait.
__device__ void finish(const Sync& s) {
  if (s.mode != row && s.mode != tile) return;
  __threadfence();
  if (atomicAdd(&s.words[0], 1u) != s.blocks2 - 1) return;
  __threadfence();
  const int count = FIRST_SEMAPHORE + 2048 / BM * (N1 / BN);
  for (int i = 0; i < count; ++i) s.words[i] = 0;
}
__global__ void wait_kernel(const unsigned* words, unsigned blocks) { wait_for(words + 1, blocks); }

// ---------------------------------------------------------------------------------------------------------------- wgmma
__device__ __forceinline__ uint64_t descriptor(uint32_t address, uint32_t leading, uint32_t stride) {
  return uint64_t((address & 0x3FFFF) >> 4) | (uint64_t(leading >> 4) << 16) | (uint64_t(stride >> 4) << 32) |
         (uint64_t(1) << 62);  // 128-byte swizzle
}
/// d (64 x 256) = a (64 x 16, rows of k) * b (16 x 256, rows of n) + (add ? d : 0)
__device__ __forceinline__ void wgmma(float (&d)[128], uint64_t a, uint64_t b, int add) {
  asm volatile("{.reg .pred p; setp.ne.b32 p, %130, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, %128, %129, p, 1, 1, 0, 1;}"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63]), "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]), "+f"(d[70]), "+f"(d[71]), "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79]), "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]), "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]), "+f"(d[96]), "+f"(d[97]), "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]), "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]), "+f"(d[110]), "+f"(d[111]), "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]), "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]), "+f"(d[120]), "+f"(d[121]), "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])
               : "l"(a), "l"(b), "r"(add));
}
/// The block's half of a warp group's 64 x 256 results to c: four lanes exchange their pairs of columns, so that each
/// stores 16 bytes.
__device__ __forceinline__ void store(const float (&d)[128], __half* c, int n, int row0, int col0) {
  const int t = threadIdx.x % 128, warp = t / 32, lane = t % 32, q = lane % 4;
  __half* p = c + size_t(row0 + warp * 16 + lane / 4) * n + col0 + q * 8;
#pragma unroll
  for (int j = 0; j < 32; j += 4)
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      uint32_t v[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const __half2 two = __floats2half2_rn(d[(j + i) * 4 + h * 2], d[(j + i) * 4 + h * 2 + 1]);
        v[i] = *reinterpret_cast<const uint32_t*>(&two);
      }
      // v[i] of lane l becomes v[l] of lane i, within four lanes
#pragma unroll
      for (int bit = 1; bit <= 2; bit *= 2)
#pragma unroll
        for (int i = 0; i < 4; ++i)
          if (!(i & bit)) {
            const bool high = q & bit;
            const uint32_t got = __shfl_xor_sync(0xffffffffu, high ? v[i] : v[i + bit], bit);
            if (high) v[i] = got;
            else v[i + bit] = got;
          }
      *reinterpret_cast<uint4*>(p + size_t(h) * 8 * n + j * 8) = make_uint4(v[0], v[1], v[2], v[3]);
    }
}

/// Work of a block or a cluster: which product, which band of rows (128 rows times blocks of a cluster), which column.
__host__ __device__ constexpr int encode(int product, int band, int column) { return product << 24 | band << 12 | column; }
