// D = A B + C on tensor cores, half in, float sums, for large shapes (others: step 8's kernel).
// On an H100 at 4096 it reaches 0.92 times the speed of cuBLAS (assets/recordings/h100.json).
// Bound by latency at the default size (modelled). A block computes 128 x 256 outputs: the larger
// the tile, the fewer bytes per multiply-add (step 4). What step 8 lacks:
// 1. Tiles arrive by cp.async, three in flight while the fourth is used. Before Hopper, and on the
// SIMT machine (compute_80), one is in flight. No thread holds them in registers.
// 2. Rows of a tile are 128 bytes, eight pieces of 16. Piece c of row r lies at c ^ (r % 8): the
// swizzle of the bank lab, and the layout that Hopper's tensor cores read.
// 3. On Hopper the tensor cores read both operands from shared memory (wgmma): four warps
// together start 64 x 256 x 16 products with one instruction and go on without waiting. Elsewhere
// ldmatrix and mma.sync do the same work from registers, warp by warp.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

using namespace nvcuda;

constexpr int block_rows = 128;  // two groups of four warps, 64 rows each
constexpr int block_cols = 256;
constexpr int depth = 64;
constexpr int threads = 256;
constexpr int stage_bytes_a = block_rows * depth * 2;
constexpr int stage_bytes_b = depth * block_cols * 2;
constexpr int stage_bytes = stage_bytes_a + stage_bytes_b;
// Rows of tiles that are worked on together: what they read stays in the L2.
constexpr int group_rows = 16;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
constexpr int stages = 2;  // 96 KiB
#else
constexpr int stages = 4;  // 192 KiB
#endif

/// Byte of 16-byte piece `piece` of row `row` in a tile whose rows are 128 bytes.
__device__ int swizzled(int row, int piece) { return row * 128 + (piece ^ row % 8) * 16; }

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
/// The descriptor of a matrix in shared memory for wgmma (PTX ISA, matrix descriptor): its address.
/// Then the stride between blocks of 64 columns and between groups of 8 rows, and that rows are
/// swizzled by 128 bytes.
__device__ unsigned long long descriptor(unsigned address, unsigned column_stride,
                                         unsigned row_stride) {
  return (unsigned long long)((address & 0x3FFFF) >> 4) |
         (unsigned long long)(column_stride >> 4) << 16 |
         (unsigned long long)(row_stride >> 4) << 32 | 1ull << 62;
}

/// Starts sum[64 x 256] += a[64 x 16] b[16 x 256] for four warps; each lane holds 128 of the sums,
/// and the instruction names them all.
__device__ void start_wgmma(float (&d)[128], unsigned long long a, unsigned long long b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
      "%20, %21, %22, "
      "%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, "
      "%41, %42, %43, "
      "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, "
      "%62, %63, %64, "
      "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, "
      "%83, %84, %85, "
      "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, "
      "%103, %104, %105, "
      "%106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, "
      "%121, %122, "
      "%123, %124, %125, %126, %127}, "
      "%128, %129, 1, 1, 1, 0, 1;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
        "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
        "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
        "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]),
        "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]),
        "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]),
        "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]),
        "+f"(d[63]), "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]),
        "+f"(d[70]), "+f"(d[71]), "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]),
        "+f"(d[77]), "+f"(d[78]), "+f"(d[79]), "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]),
        "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]),
        "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]), "+f"(d[96]), "+f"(d[97]),
        "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]),
        "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]),
        "+f"(d[110]), "+f"(d[111]), "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]),
        "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]), "+f"(d[120]), "+f"(d[121]),
        "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])
      : "l"(a), "l"(b));
}

/// sum += one pair of tiles. The tensor cores may still be at it when this returns.
__device__ void multiply(float (&sum)[128], char* tiles) {
  unsigned a = unsigned(__cvta_generic_to_shared(tiles)) +
               threadIdx.x / 128 * 64 * 128;  // this group's 64 rows
  unsigned b = unsigned(__cvta_generic_to_shared(tiles)) + stage_bytes_a;
  asm volatile("fence.proxy.async.shared::cta;\n\twgmma.fence.sync.aligned;");
#pragma unroll
  for (int p = 0; p < depth / 16; ++p)
    start_wgmma(sum, descriptor(a + p * 32, 16, 1024),
                descriptor(b + p * 16 * 128, depth * 128, 1024));
  asm volatile("wgmma.commit_group.sync.aligned;");
}
/// Waits until all products but those of the last `multiply` (one = 1) or all (0) have ended.
__device__ void finish_all_but(int one) {
  if (one)
    asm volatile("wgmma.wait_group.sync.aligned 1;");
  else
    asm volatile("wgmma.wait_group.sync.aligned 0;");
}
#else
/// Four 8 x 8 matrices of halves; lane l gives the address of one row of eight, matrix l / 8.
__device__ void load_matrices(unsigned (&r)[4], const char* row, bool turned) {
  unsigned address = unsigned(__cvta_generic_to_shared(row));
  if (turned)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address));
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address));
}

/// sum[16 x 8] += a[16 x 16] b[16 x 8] for one warp.
__device__ void mma(float* d, const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
      "%9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ void multiply(float (&sum)[128], char* tiles) {
  int warp = threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  for (int p = 0; p < depth / 16; ++p) {
    unsigned a[4], b[4];
    load_matrices(a, tiles + swizzled(warp * 16 + lane % 16, p * 2 + lane / 16), false);
#pragma unroll
    for (int j = 0; j < block_cols / 16; ++j) {
      int piece = j * 2 + lane / 16;  // of 16 bytes; 8 of them are a block of 64 columns
      load_matrices(
          b,
          tiles + stage_bytes_a + piece / 8 * depth * 128 + swizzled(p * 16 + lane % 16, piece % 8),
          true);
      mma(&sum[j * 8], a, b[0], b[1]);
      mma(&sum[j * 8 + 4], a, b[2], b[3]);
    }
  }
}
__device__ void finish_all_but(int) {}  // mma.sync has finished when it returns
#endif

// A is n x k, B is k x m, C and D are n x m, all row by row; n, m and k are multiples of 128, 256
// and 64.
__global__ void __launch_bounds__(threads, 1)
    multiply_whole_tiles(const half* A, const half* B, const float* C, float* D, int n, int m,
                         int k) {
  extern __shared__ char memory[];
  // wgmma's swizzle counts from addresses that are multiples of 1024.
  char* tiles = memory + (1024 - __cvta_generic_to_shared(memory) % 1024) % 1024;
  int thread = threadIdx.x;
  int tile_rows = n / block_rows;
  int tile_cols = m / block_cols;
  int group = blockIdx.x / (group_rows * tile_cols);
  int rest = blockIdx.x % (group_rows * tile_cols);
  int rows = min(group_rows, tile_rows - group * group_rows);
  int row0 = (group * group_rows + rest % rows) * block_rows;
  int col0 = rest / rows * block_cols;

  // A's tile has rows of 8 pieces, B's of 32 in four blocks of 8: each thread brings 4 + 8 of them.
  const half* from_a = A + size_t(row0 + thread / 8) * k + thread % 8 * 8;
  const half* from_b = B + size_t(thread / 32) * m + col0 + thread % 32 * 8;
  int to_a = swizzled(thread / 8, thread % 8);
  int to_b = stage_bytes_a + thread % 32 / 8 * depth * 128 + swizzled(thread / 32, thread % 8);
  auto fetch = [&](int tile) {
    char* to = tiles + tile % stages * stage_bytes;
    if (tile * depth < k) {
#pragma unroll
      for (int i = 0; i < 4; ++i)
        __pipeline_memcpy_async(to + to_a + i * 32 * 128,
                                from_a + size_t(i) * 32 * k + tile * depth, 16);
#pragma unroll
      for (int i = 0; i < 8; ++i)
        __pipeline_memcpy_async(to + to_b + i * 8 * 128, from_b + size_t(tile * depth + i * 8) * m,
                                16);
    }
    __pipeline_commit();  // an empty one at the end keeps the count
  };

  for (int tile = 0; tile < stages - 1; ++tile) fetch(tile);

  // A lane's sums: rows lane / 4 and 8 below it, two adjacent ones in each eight columns. They
  // start from C, which arrives together with the first tiles; read at the end, it would keep
  // all warps waiting once more.
  int row = row0 + thread / 32 * 16 + thread % 32 / 4;
  int col = col0 + thread % 4 * 2;
  float sum[128];
#pragma unroll
  for (int j = 0; j < 64; ++j) {
    float2 c = *reinterpret_cast<const float2*>(C + size_t(row + j % 2 * 8) * m + col + j / 2 * 8);
    sum[2 * j] = c.x;
    sum[2 * j + 1] = c.y;
  }
  for (int tile = 0; tile * depth < k; ++tile) {
    __pipeline_wait_prior(stages - 2);  // my part of this tile is here,
    __syncthreads();                    // and so are those of the other threads
    multiply(sum, tiles + tile % stages * stage_bytes);
    finish_all_but(1);  // the products of the tile before have ended: its place may be filled
    __syncthreads();
    fetch(tile + stages - 1);
  }
  finish_all_but(0);
#pragma unroll
  for (int i = 0; i < 128; ++i)
    asm volatile("" : "+f"(sum[i])::"memory");  // no use of a sum moves above the wait

#pragma unroll
  for (int j = 0; j < 64; ++j)
    *reinterpret_cast<float2*>(D + size_t(row + j % 2 * 8) * m + col + j / 2 * 8) = {
        sum[2 * j], sum[2 * j + 1]};
}

// Any shape: step 8, tiles of 64 x 64 padded with zeros.
constexpr int L = 64;
constexpr int S = 16;
constexpr int pitch_a = S + 8;
constexpr int pitch_b = L + 8;
constexpr int pitch_c = L + 4;

__device__ void copy8(half* to, const half* x, int row, int col, int rows, int cols) {
  if (cols % 8 == 0 && row < rows && col < cols)
    *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(x + size_t(row) * cols + col);
  else
    for (int j = 0; j < 8; ++j)
      to[j] = row < rows && col + j < cols ? x[size_t(row) * cols + col + j] : __float2half(0.0f);
}

__global__ void __launch_bounds__(128)
    multiply_any(const half* A, const half* B, const float* C, float* D, int n, int m, int k) {
  __shared__ alignas(32) half a[L][pitch_a];
  __shared__ alignas(32) half b[S][pitch_b];
  __shared__ alignas(32) float c[L][pitch_c];
  int thread = threadIdx.x;
  int warp = thread / 32;
  int row0 = blockIdx.y * L;
  int col0 = blockIdx.x * L;
  int y = warp / 2 * 32;
  int x = warp % 2 * 32;
  for (int t = thread; t < L * L; t += 128) {
    int row = row0 + t / L;
    int col = col0 + t % L;
    c[t / L][t % L] = row < n && col < m ? C[size_t(row) * m + col] : 0.0f;
  }
  __syncthreads();
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
  for (int i = 0; i < 4; ++i)
    wmma::load_matrix_sync(sum[i / 2][i % 2], &c[y + i / 2 * 16][x + i % 2 * 16], pitch_c,
                           wmma::mem_row_major);
  for (int p0 = 0; p0 < k; p0 += S) {
    copy8(&a[thread / 2][thread % 2 * 8], A, row0 + thread / 2, p0 + thread % 2 * 8, n, k);
    copy8(&b[thread / 8][thread % 8 * 8], B, p0 + thread / 8, col0 + thread % 8 * 8, k, m);
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> u[2];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> v[2];
    for (int i = 0; i < 2; ++i) wmma::load_matrix_sync(u[i], &a[y + 16 * i][0], pitch_a);
    for (int j = 0; j < 2; ++j) wmma::load_matrix_sync(v[j], &b[0][x + 16 * j], pitch_b);
    for (int i = 0; i < 4; ++i)
      wmma::mma_sync(sum[i / 2][i % 2], u[i / 2], v[i % 2], sum[i / 2][i % 2]);
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    wmma::store_matrix_sync(&c[y + i / 2 * 16][x + i % 2 * 16], sum[i / 2][i % 2], pitch_c,
                            wmma::mem_row_major);
  __syncthreads();
  for (int t = thread; t < L * L; t += 128) {
    int row = row0 + t / L;
    int col = col0 + t % L;
    if (row < n && col < m) D[size_t(row) * m + col] = c[t / L][t % L];
  }
}

void matmul(const half* A, const half* B, const float* C, float* D, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  int shared = 0;
  int major = 0;
  cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  int bytes = (major < 9 ? 2 : 4) * stage_bytes + 1024;  // stages of the kernel, and room to align
  if (n % block_rows == 0 && m % block_cols == 0 && k % depth == 0 && k > 0 && bytes <= shared) {
    cudaFuncSetAttribute(multiply_whole_tiles, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    multiply_whole_tiles<<<n / block_rows*(m / block_cols), threads, bytes>>>(A, B, C, D, n, m, k);
  } else {
    multiply_any<<<dim3((m + L - 1) / L, (n + L - 1) / L), 128>>>(A, B, C, D, n, m, k);
  }
}
