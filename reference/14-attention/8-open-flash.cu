// Attention on tensor cores for d = 64 or 128, halves in and out, scores and sums in float.
// Bound by latency at the default size, by tensor cores and exponentials on a full GPU. New here:
// 1. Tiles of keys and values arrive by cp.async: the next ones while one is used.
// 2. A row of a tile is 128 bytes, eight pieces of 16. Piece c of row r lies at c ^ (r % 8), so
// that ldmatrix has no conflict; it is the layout that Hopper's tensor cores read.
// 3. The scores of the next tile are started before the weighted sum of this one. On Hopper, where
// wgmma runs in the background, the softmax runs while the tensor cores make the weighted sum.
// 4. No barrier stops the whole block per tile. One group of four warps runs ahead of the other: it
// computes exponentials while the other's products keep the tensor cores busy.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

constexpr int most_threads = 256;  // 16 queries per warp
constexpr int stages = 3;
// A tile has D keys. As many values lie behind them.
template <int D>
constexpr int tile_bytes = 2 * D * D;
template <int D>
constexpr int bytes = stages * 2 * tile_bytes<D> + 1024;  // and room to align

// Of a tile with 64 or 128 rows: the byte of 16-byte piece `piece` of row `row`. Rows of 256 bytes
// are two blocks of 128 bytes.
__device__ int place(int row, int piece, int rows) {
  return piece / 8 * rows * 128 + row * 128 + (piece ^ row) % 8 * 16;
}

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
// The descriptor of a matrix in shared memory for wgmma (PTX ISA, matrix descriptor): its address,
// that groups of 8 rows are 1024 bytes apart, and that rows are swizzled by 128 bytes.
__device__ unsigned long long descriptor(unsigned address) {
  return (unsigned long long)((address & 0x3FFFF) >> 4) | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

// Starts d[64 x 64] += a[64 x 16] b[16 x 64] for four warps, or d = a b. Warp w has rows 16 w to
// 16 w + 15 of a and d, laid out as for mma. turned: b has its rows in memory, else its columns.
template <int turned>
__device__ void start_wgmma(float (&d)[8][4], const unsigned (&a)[4], unsigned b, int add) {
  asm volatile(
      "{.reg .pred p;\n\tsetp.ne.b32 p, %37, 0;\n\t"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
      "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
      "{%32, %33, %34, %35}, %36, p, 1, 1, %38;}"
      : "+f"(d[0][0]), "+f"(d[0][1]), "+f"(d[0][2]), "+f"(d[0][3]), "+f"(d[1][0]), "+f"(d[1][1]),
        "+f"(d[1][2]), "+f"(d[1][3]), "+f"(d[2][0]), "+f"(d[2][1]), "+f"(d[2][2]), "+f"(d[2][3]),
        "+f"(d[3][0]), "+f"(d[3][1]), "+f"(d[3][2]), "+f"(d[3][3]), "+f"(d[4][0]), "+f"(d[4][1]),
        "+f"(d[4][2]), "+f"(d[4][3]), "+f"(d[5][0]), "+f"(d[5][1]), "+f"(d[5][2]), "+f"(d[5][3]),
        "+f"(d[6][0]), "+f"(d[6][1]), "+f"(d[6][2]), "+f"(d[6][3]), "+f"(d[7][0]), "+f"(d[7][1]),
        "+f"(d[7][2]), "+f"(d[7][3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(descriptor(b)), "r"(add), "n"(turned));
}

// Starts s = q k of a tile. s: pieces of 16 queries x 8 keys, in blocks of 64 keys.
template <int D, int keys>
__device__ void start_scores(float (&s)[keys / 64][8][4], const unsigned (&q)[D / 16][4],
                             unsigned tile) {
  asm volatile("wgmma.fence.sync.aligned;");
#pragma unroll
  for (int p = 0; p < D / 16; ++p)
#pragma unroll
    for (int b = 0; b < keys / 64; ++b)
      start_wgmma<0>(s[b], q[p], tile + p / 4 * keys * 128 + b * 64 * 128 + p % 4 * 32, p > 0);
  asm volatile("wgmma.commit_group.sync.aligned;");
}

// Starts acc += w v of a tile. acc: pieces of 16 queries x 8 columns, in blocks of 64 columns.
template <int D, int keys>
__device__ void start_sum(float (&acc)[D / 64][8][4], const unsigned (&w)[keys / 16][4],
                          unsigned tile) {
  asm volatile("wgmma.fence.sync.aligned;");
#pragma unroll
  for (int p = 0; p < keys / 16; ++p)
#pragma unroll
    for (int b = 0; b < D / 64; ++b)
      start_wgmma<1>(acc[b], w[p], tile + b * keys * 128 + p * 16 * 128, 1);
  asm volatile("wgmma.commit_group.sync.aligned;");
}

// What cp.async wrote before the last wait becomes visible to wgmma.
__device__ void show_to_tensor_cores() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// Waits until d is there: until at most `behind` of the products started after it go on.
template <int behind, int N>
__device__ void wait_for(float (&d)[N][8][4]) {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(behind) : "memory");
#pragma unroll
  for (int i = 0; i < N * 32; ++i)
    asm volatile("" : "+f"(d[i / 32][i / 4 % 8][i % 4])::"memory");  // no use moves above the wait
}
#else
// Four 8 x 8 matrices of halves; lane l gives the address of one row of eight, matrix l / 8.
template <bool turned>
__device__ void load_matrices(unsigned (&r)[4], unsigned row) {
  if (turned)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(row));
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(row));
}

__device__ void mma(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// s = q k of a tile. s: pieces of 16 queries x 8 keys, in blocks of 64 keys.
template <int D, int keys>
__device__ void start_scores(float (&s)[keys / 64][8][4], const unsigned (&q)[D / 16][4],
                             unsigned tile) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int j = 0; j < keys / 8; ++j)
    for (int x = 0; x < 4; ++x) s[j / 8][j % 8][x] = 0.0f;
#pragma unroll
  for (int p = 0; p < D / 16; ++p)
#pragma unroll
    for (int j = 0; j < keys / 8; j += 2) {
      unsigned b[4];  // of 16 keys
      const int row = j * 8 + lane / 16 * 8 + lane % 8;
      load_matrices<false>(b, tile + place(row, p * 2 + lane / 8 % 2, keys));
      mma(s[j / 8][j % 8], q[p], b[0], b[1]);
      mma(s[j / 8][j % 8 + 1], q[p], b[2], b[3]);
    }
}

// acc += w v of a tile. acc: pieces of 16 queries x 8 columns, in blocks of 64 columns.
template <int D, int keys>
__device__ void start_sum(float (&acc)[D / 64][8][4], const unsigned (&w)[keys / 16][4],
                          unsigned tile) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int p = 0; p < keys / 16; ++p)
#pragma unroll
    for (int j = 0; j < D / 8; j += 2) {
      unsigned b[4];  // of 16 columns
      load_matrices<true>(b, tile + place(p * 16 + lane % 16, j + lane / 16, keys));
      mma(acc[j / 8][j % 8], w[p], b[0], b[1]);
      mma(acc[j / 8][j % 8 + 1], w[p], b[2], b[3]);
    }
}

__device__ void show_to_tensor_cores() {}  // ldmatrix sees it anyway
template <int behind, int N>
__device__ void wait_for(float (&)[N][8][4]) {}  // mma.sync has finished when it returns
#endif

// Barriers in shared memory at which arriving and waiting are two steps (PTX ISA, mbarrier). The
// last of `arrivals` ends a phase. Phases 0, 2, 4, ... have parity 0.
__device__ void start_barrier(unsigned barrier, int arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

__device__ void arrive(unsigned barrier) {
  asm volatile("{.reg .b64 t; mbarrier.arrive.shared.b64 t, [%0];}" ::"r"(barrier) : "memory");
}

// This thread arrives when its cp.async have ended.
__device__ void arrive_after_copies(unsigned barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier) : "memory");
}

__device__ void wait_for_phase(unsigned barrier, int parity) {
  int ended = 0;
  while (!ended)
    asm volatile(
        "{.reg .pred p;\n\tmbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n\t"
        "selp.b32 %0, 1, 0, p;}"
        : "=r"(ended)
        : "r"(barrier), "r"(parity)
        : "memory");
}

__device__ float power_of_two(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

// Scores become weights, relative to the largest score so far, m. scale: what sums made before are
// to be multiplied by. factor: log2(e) / sqrt(d), so that weights are powers of two.
template <int N>
__device__ void softmax(float (&s)[N][8][4], float (&m)[2], float (&sum)[2], float (&scale)[2],
                        float factor) {
#pragma unroll
  for (int r = 0; r < 2; ++r) {  // rows lane / 4 and 8 below
    float bigger = m[r];
#pragma unroll
    for (int j = 0; j < N * 8; ++j)
      bigger = fmaxf(bigger, fmaxf(s[j / 8][j % 8][2 * r], s[j / 8][j % 8][2 * r + 1]));
    for (int d = 1; d < 4; d *= 2) bigger = fmaxf(bigger, __shfl_xor_sync(0xffffffffu, bigger, d));
    scale[r] = power_of_two((m[r] - bigger) * factor);
    m[r] = bigger;
    float added[2] = {};
#pragma unroll
    for (int j = 0; j < N * 8; ++j)
#pragma unroll
      for (int x = 0; x < 2; ++x) {
        float& weight = s[j / 8][j % 8][2 * r + x];
        weight = power_of_two(fmaf(weight, factor, -bigger * factor));
        added[x] += weight;
      }
    sum[r] = sum[r] * scale[r] + (added[0] + added[1]);
  }
}

// Weights as the first factor of the second product: two pieces of eight keys are one of 16.
template <int keys>
__device__ void pack(unsigned (&w)[keys / 16][4], const float (&s)[keys / 64][8][4]) {
#pragma unroll
  for (int i = 0; i < keys / 4; ++i) {
    const float* pair = &s[i / 16][i / 2 % 8][i % 2 * 2];
    const half2 both = __floats2half2_rn(pair[0], pair[1]);
    w[i / 4][i % 4] = *reinterpret_cast<const unsigned*>(&both);
  }
}

// q, k, v, out [heads][n][D].
template <int D>
__global__ void __launch_bounds__(most_threads, D == 64 ? 2 : 1)
    attention_kernel(const half* q, const half* k, const half* v, half* out, int n, float factor) {
  constexpr int keys = D;  // per tile
  extern __shared__ char memory[];
  // The swizzle counts from addresses that are multiples of 1024.
  const unsigned start = (unsigned(__cvta_generic_to_shared(memory)) + 1023) / 1024 * 1024;
  const int thread = threadIdx.x;
  const int g = thread % 32 / 4;
  const int c = thread % 4 * 2;
  const int i = (blockIdx.x * blockDim.x + thread) / 32 * 16 + g;  // and i + 8: this lane's queries
  const size_t head = size_t(blockIdx.y) * n * D;
  q += head;
  k += head;
  v += head;
  out += head;

  // Slot t % stages holds tile t. Its barrier in `full` waits for the copies of all threads, its
  // barrier in `empty` for the products of all warps.
  __shared__ unsigned long long barriers[2][stages];
  const unsigned full = unsigned(__cvta_generic_to_shared(barriers[0]));
  const unsigned empty = unsigned(__cvta_generic_to_shared(barriers[1]));
  if (thread < stages) {
    start_barrier(full + thread * 8, blockDim.x);
    start_barrier(empty + thread * 8, blockDim.x / 32);
  }
  __syncthreads();

  const int tiles = (n + keys - 1) / keys;
  const int first = thread / (D / 8);  // of the rows of which this thread brings a piece
  const int piece = thread % (D / 8);
  const int rows = blockDim.x / (D / 8);  // a multiple of 8, so that the swizzle stays
  char* const to =
      memory + (start - unsigned(__cvta_generic_to_shared(memory))) + place(first, piece, keys);
  auto fetch = [&](int t) {
    if (t >= tiles) return;
    const int slot = t % stages;
    if (t >= stages) wait_for_phase(empty + slot * 8, (t / stages - 1) % 2);
    char* const stage = to + slot * 2 * tile_bytes<D>;
    for (int x = 0; x < keys; x += rows) {
      const int from = min(t * keys + first + x, n - 1) * D + piece * 8;  // past the end: weight 0
      __pipeline_memcpy_async(stage + x * 128, k + from, 16);
      __pipeline_memcpy_async(stage + tile_bytes<D> + x * 128, v + from, 16);
    }
    arrive_after_copies(full + slot * 8);
  };
  auto keys_at = [&](int t) { return start + t % stages * 2 * tile_bytes<D>; };
  for (int t = 0; t < stages - 1; ++t) fetch(t);

  unsigned a[D / 16][4];  // the warp's queries
#pragma unroll
  for (int p = 0; p < D / 16; ++p)
    for (int x = 0; x < 4; ++x) {
      const int row = min(i + x % 2 * 8, n - 1);
      a[p][x] = *reinterpret_cast<const unsigned*>(q + row * D + p * 16 + c + x / 2 * 8);
    }
  float m[2] = {-INFINITY, -INFINITY};
  float sum[2] = {};  // of this lane's columns
  float scale[2];
  float acc[D / 64][8][4] = {};
  float s[keys / 64][8][4];
  unsigned w[keys / 16][4];

  auto weigh = [&](int t) {  // scores of tile t become weights
    if ((t + 1) * keys > n)  // past the end
#pragma unroll
      for (int x = 0; x < keys / 2; ++x)
        if (t * keys + x / 4 * 8 + c + x % 2 >= n) s[x / 32][x / 4 % 8][x % 4] = -INFINITY;
    softmax(s, m, sum, scale, factor);
  };

  wait_for_phase(full, 0);
  show_to_tensor_cores();
  start_scores<D, keys>(s, a, keys_at(0));
  wait_for<0>(s);
  weigh(0);
  pack<keys>(w, s);
  for (int t = 0; t + 1 < tiles; ++t) {
    wait_for_phase(full + (t + 1) % stages * 8, (t + 1) / stages % 2);
    show_to_tensor_cores();
    start_scores<D, keys>(s, a, keys_at(t + 1));
    start_sum<D, keys>(acc, w, keys_at(t) + tile_bytes<D>);
    fetch(t + stages - 1);  // into the slot of tile t - 1
    wait_for<1>(s);
    weigh(t + 1);
    wait_for<0>(acc);
    __syncwarp();  // the warp has used tile t
    if (thread % 32 == 0) arrive(empty + t % stages * 8);
#pragma unroll
    for (int x = 0; x < D / 2; ++x) acc[x / 32][x / 4 % 8][x % 4] *= scale[x / 2 % 2];
    pack<keys>(w, s);
  }
  start_sum<D, keys>(acc, w, keys_at(tiles - 1) + tile_bytes<D>);
  wait_for<0>(acc);

#pragma unroll
  for (int r = 0; r < 2; ++r) {
    for (int d = 1; d < 4; d *= 2) sum[r] += __shfl_xor_sync(0xffffffffu, sum[r], d);
    const float part = 1.0f / sum[r];
    if (i + r * 8 >= n) continue;
    half* row = out + (i + r * 8) * D + c;
#pragma unroll
    for (int j = 0; j < D / 8; ++j)
      *reinterpret_cast<half2*>(row + j * 8) =
          __floats2half2_rn(acc[j / 8][j % 8][2 * r] * part, acc[j / 8][j % 8][2 * r + 1] * part);
  }
}

void attention(const half* q, const half* k, const half* v, half* out, int n, int heads, int d) {
  if (n == 0 || heads == 0) return;
  const auto kernel = d == 64 ? attention_kernel<64> : attention_kernel<128>;
  const int shared = d == 64 ? bytes<64> : bytes<128>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int threads = (n + 127) / 128 * heads < sms ? 128 : 256;  // enough blocks for all SMs
  const int queries = threads / 2;
  const float factor = 1.44269504f / sqrtf(float(d));
  kernel<<<dim3((n + queries - 1) / queries, heads), threads, shared>>>(q, k, v, out, n, factor);
}
