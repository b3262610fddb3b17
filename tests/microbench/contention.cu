// What warps of one GPU wait for each other: additions to one word, fences, grid barriers, lone sectors, short reads from a
// cold memory. Run: nvcc -O3 -std=c++17 -arch=sm_90 contention.cu   or, but for the grid barrier, which a cooperative launch
// makes: warpdojo play tests/microbench/contention.cu --device simt:h100
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

// Every block's first `lanes` threads of each warp add to word `(block % words) * apart`.
__global__ void add_int(int* sums, int lanes, int words, int apart) {
  if (threadIdx.x % 32 < lanes) atomicAdd(sums + blockIdx.x % words * apart, 1);
}
__global__ void add_float(float* sums, int lanes, int words, int apart) {
  if (threadIdx.x % 32 < lanes) atomicAdd(sums + blockIdx.x % words * apart, 1.0f);
}
// Every lane of every warp adds to a word of its own in one line (`apart` 1) or in 32 lines: no two lanes meet, all warps do.
__global__ void add_row_int(int* sums, int apart) { atomicAdd(sums + threadIdx.x % 32 * apart, 1); }
__global__ void add_row_float(float* sums, int apart) { atomicAdd(sums + threadIdx.x % 32 * apart, 1.0f); }
// Lanes meet on words that the compiler can't know to be one: it joins a warp's integer additions itself where it sees one
// address, and then nothing is learnt of the memory. `words` is a power of two; lane l of block b adds to word l % words, `apart`
// words from the next, in the region b % regions, 4 KiB from the next.
__global__ void meet_int(int* sums, int words, int apart, int regions) {
  atomicAdd(sums + blockIdx.x % regions * 1024 + (threadIdx.x & (words - 1)) * apart, 1);
}
__global__ void meet_float(float* sums, int words, int apart, int regions) {
  atomicAdd(sums + blockIdx.x % regions * 1024 + (threadIdx.x & (words - 1)) * apart, 1.0f);
}
// Half of the lanes on one word, each of the others on a word of its own, as the blanks and the letters of a text.
__global__ void half_meet_int(int* sums, int apart) {
  const int l = threadIdx.x;
  atomicAdd(sums + (l < 16 ? 0 : l * apart), 1);
}
// The same with the old value used, so that the warp waits for it.
__global__ void take_int(int* sums, int lanes, int words, int apart) {
  int old = 0;
  if (threadIdx.x % 32 < lanes) old = atomicAdd(sums + blockIdx.x % words * apart, 1);
  if (old == -7) sums[1 << 20] = old;
}
__global__ void take_float(float* sums, int lanes, int words, int apart) {
  float old = 0;
  if (threadIdx.x % 32 < lanes) old = atomicAdd(sums + blockIdx.x % words * apart, 1.0f);
  if (old == -7.0f) sums[1 << 20] = old;
}

// One lane of one warp of every block: `stores` lines are stored, then a fence; cycles of the fence alone.
__global__ void fence(int* out, long long* cycles, int stores) {
  if (threadIdx.x != 0) return;
  for (int i = 0; i < stores; ++i) out[(blockIdx.x * 64 + i) * 32] = i;
  const long long start = clock64();
  __threadfence();
  cycles[blockIdx.x] = clock64() - start;
}

// One lane of every warp stores and fences again and again: cycles of a turn, the kernel's blocks being one an SM.
__global__ void fences(int* out, long long* cycles, int times) {
  if (threadIdx.x % 32 != 0) return;
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const long long start = clock64();
  for (int i = 0; i < times; ++i) {
    out[warp * 32] = i;
    __threadfence();
  }
  cycles[warp] = (clock64() - start) / times;
}

// The last block's pattern: store, fence, count. Cycles of all three in every block.
__global__ void count_in(int* out, unsigned* done, long long* cycles) {
  if (threadIdx.x != 0) return;
  const long long start = clock64();
  out[blockIdx.x] = 1;
  __threadfence();
  const unsigned old = atomicInc(done, gridDim.x - 1);
  __threadfence();
  cycles[blockIdx.x] = clock64() - start + (old == 0xffffffffu);
}

__global__ void grid_barriers(int times, long long* cycles) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  grid.sync();
  const long long start = clock64();
  for (int i = 0; i < times; ++i) grid.sync();
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - start;
}

// Each lane one word, `stride` words apart from its neighbour's.
__global__ void store_apart(float* out, int stride) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  out[i * stride] = 1.0f;
}
__global__ void load_apart(const float* in, float* out, int stride) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (in[i * stride] == 12345.0f) *out = 1.0f;
}

// A float4 a thread, read once from a cold memory.
__global__ void read_once(const float4* in, float* out) {
  const float4 v = in[size_t(blockIdx.x) * blockDim.x + threadIdx.x];
  if (v.x + v.y + v.z + v.w == 12345.0f) *out = 1.0f;
}
__global__ void copy_once(const float4* in, float4* out) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
__global__ void nothing() {}

static cudaEvent_t a, b;
static float* flush_buffer;
static const size_t flush_words = size_t(48) << 20;  // 192 MiB, more than any L2

static void flush_l2() { read_once<<<flush_words / 1024, 256>>>((const float4*)flush_buffer, flush_buffer); }

// The least of several runs, in microseconds, between two events; less what an empty kernel takes there.
template <class Launch> static double least_us(Launch launch, bool cold) {
  double best = 1e30, none = 1e30;
  float ms = 0;
  for (int pass = 0; pass < 9; ++pass) {
    if (cold) flush_l2();
    cudaEventRecord(a);
    nothing<<<1, 32>>>();
    cudaEventRecord(b);
    cudaEventSynchronize(b);
    cudaEventElapsedTime(&ms, a, b);
    if (ms * 1e3 < none) none = ms * 1e3;
    if (cold) flush_l2();
    cudaEventRecord(a);
    launch();
    cudaEventRecord(b);
    cudaEventSynchronize(b);
    cudaEventElapsedTime(&ms, a, b);
    if (ms * 1e3 < best) best = ms * 1e3;
  }
  if (cudaGetLastError() != cudaSuccess) {
    printf("a kernel failed\n");
    exit(1);
  }
  return best - none;
}

static long long median_of(long long* v, int n) {
  for (int i = 1; i < n; ++i)
    for (int j = i; j > 0 && v[j] < v[j - 1]; --j) {
      long long t = v[j];
      v[j] = v[j - 1];
      v[j - 1] = t;
    }
  return v[n / 2];
}

int main() {
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  cudaEventCreate(&a);
  cudaEventCreate(&b);
  cudaMalloc((void**)&flush_buffer, flush_words * 4);
  cudaMemset(flush_buffer, 0, flush_words * 4);
  float *data, *more;
  const size_t bytes = size_t(1) << 30;
  cudaMalloc((void**)&data, bytes);
  cudaMalloc((void**)&more, bytes);
  cudaMemset(data, 0, bytes);
  cudaMemset(more, 0, bytes);
  long long* cycles;
  cudaMalloc((void**)&cycles, 8 * 4096);
  static long long host[4096];

  const int blocks = 16384;  // of one warp
  const double base = least_us([&] { add_int<<<blocks, 32>>>((int*)data, 0, 1, 1); }, false);
  const int lane_counts[] = {1, 2, 4, 8, 16, 32};
  for (int lanes : lane_counts) {
    const double i = least_us([&] { add_int<<<blocks, 32>>>((int*)data, lanes, 1, 1); }, false);
    const double f = least_us([&] { add_float<<<blocks, 32>>>((float*)data, lanes, 1, 1); }, false);
    const double ti = least_us([&] { take_int<<<blocks, 32>>>((int*)data, lanes, 1, 1); }, false);
    const double tf = least_us([&] { take_float<<<blocks, 32>>>((float*)data, lanes, 1, 1); }, false);
    printf("one_word %2d lanes       red int %8.3f  red float %8.3f  atom int %8.3f  atom float %8.3f ns/warp (grid alone %.3f)\n", lanes,
           i * 1e3 / blocks, f * 1e3 / blocks, ti * 1e3 / blocks, tf * 1e3 / blocks, base * 1e3 / blocks);
  }
  const int word_counts[] = {1, 2, 4, 8, 16, 32, 128, 1024};
  for (int words : word_counts)
    for (int apart = 1; apart <= 64; apart *= 8) {
      const double i = least_us([&] { add_int<<<blocks, 32>>>((int*)data, 1, words, apart); }, false);
      const double f = least_us([&] { add_float<<<blocks, 32>>>((float*)data, 1, words, apart); }, false);
      printf("words %4d, %2d apart     red int %8.3f  red float %8.3f ns/warp\n", words, apart, i * 1e3 / blocks, f * 1e3 / blocks);
    }
  for (int warps = 1; warps <= 32; warps *= 2) {
    const double f = least_us([&] { add_float<<<blocks / warps, 32 * warps>>>((float*)data, 1, 1, 1); }, false);
    const double i = least_us([&] { add_int<<<blocks / warps, 32 * warps>>>((int*)data, 1, 1, 1); }, false);
    printf("one_word, %2d warps a block  red int %8.3f  red float %8.3f ns/warp\n", warps, i * 1e3 / blocks, f * 1e3 / blocks);
  }

  for (int apart = 1; apart <= 64; apart *= 8) {
    const double i = least_us([&] { add_row_int<<<blocks, 32>>>((int*)data, apart); }, false);
    const double f = least_us([&] { add_row_float<<<blocks, 32>>>((float*)data, apart); }, false);
    printf("32 words a warp, %2d apart  red int %8.3f  red float %8.3f ns/warp\n", apart, i * 1e3 / blocks, f * 1e3 / blocks);
  }

  for (int apart = 1; apart <= 64; apart *= 2)
    for (int words = apart == 1 ? 1 : 2; words <= 32; words *= 2) {
      const double i = least_us([&] { meet_int<<<blocks, 32>>>((int*)data, words, apart, 1); }, false);
      const double f = least_us([&] { meet_float<<<blocks, 32>>>((float*)data, words, apart, 1); }, false);
      printf("32 lanes on %2d words, %2d apart  red int %8.3f  red float %8.3f ns/warp\n", words, apart, i * 1e3 / blocks, f * 1e3 / blocks);
    }
  for (int apart = 1; apart <= 64; apart *= 8) {
    const double h = least_us([&] { half_meet_int<<<blocks, 32>>>((int*)data, apart); }, false);
    printf("16 lanes on a word, 16 alone, %2d apart  red int %8.3f ns/warp\n", apart, h * 1e3 / blocks);
  }
  for (int regions = 1; regions <= 256; regions *= 4) {
    const double one = least_us([&] { meet_int<<<blocks, 32>>>((int*)data, 1, 1, regions); }, false);
    const double line = least_us([&] { meet_int<<<blocks, 32>>>((int*)data, 32, 1, regions); }, false);
    const double lines = least_us([&] { meet_int<<<blocks, 32>>>((int*)data, 32, 8, regions); }, false);
    const double f = least_us([&] { meet_float<<<blocks, 32>>>((float*)data, 1, 1, regions); }, false);
    printf("%3d regions: one word %8.3f  a line %8.3f  32 sectors %8.3f  one word of floats %8.3f ns/warp\n", regions, one * 1e3 / blocks,
           line * 1e3 / blocks, lines * 1e3 / blocks, f * 1e3 / blocks);
  }

  for (int stores = 0; stores <= 64; stores = stores ? stores * 4 : 1)
    for (int grid = 1; grid <= 8 * sms; grid = grid == 1 ? sms : grid * 8) {
      for (int pass = 0; pass < 2; ++pass) fence<<<grid, 32>>>((int*)data, cycles, stores);
      cudaMemcpy(host, cycles, 8 * grid, cudaMemcpyDeviceToHost);
      printf("fence after %2d stores, %4d blocks  %6lld cycles\n", stores, grid, median_of(host, grid));
    }
  for (int grid : {1, sms})
    for (int warps = 1; warps <= 32; warps *= 2) {
      for (int pass = 0; pass < 2; ++pass) fences<<<grid, 32 * warps>>>((int*)data, cycles, 64);
      cudaMemcpy(host, cycles, 8 * grid * warps, cudaMemcpyDeviceToHost);
      const long long turn = median_of(host, grid * warps);
      printf("store and fence in a loop, %3d blocks of %2d warps  %6lld cycles a turn, %6.1f a fence of the SM\n", grid, warps, turn, double(turn) / warps);
    }
  for (int grid = 1; grid <= 8 * sms; grid = grid == 1 ? sms : grid * 8) {
    cudaMemset(more, 0, 4);
    for (int pass = 0; pass < 2; ++pass) count_in<<<grid, 32>>>((int*)data, (unsigned*)more, cycles);
    cudaMemcpy(host, cycles, 8 * grid, cudaMemcpyDeviceToHost);
    printf("store, fence, count, fence, %4d blocks  %6lld cycles\n", grid, median_of(host, grid));
  }
  for (int an_sm = 1; an_sm <= 8; an_sm *= 2) {
    int times = 16;
    void* arguments[] = {&times, &cycles};
    if (cudaLaunchCooperativeKernel((const void*)grid_barriers, dim3(an_sm * sms), dim3(256), arguments, 0, 0) != cudaSuccess) break;
    cudaMemcpy(host, cycles, 8 * an_sm * sms, cudaMemcpyDeviceToHost);
    printf("grid barrier, %d blocks an SM  %8.0f cycles\n", an_sm, double(median_of(host, an_sm * sms)) / times);
  }

  const size_t threads = size_t(1) << 22;
  for (int stride = 1; stride <= 64; stride *= 2) {
    const double s = least_us([&] { store_apart<<<threads / 256, 256>>>(data, stride); }, true);
    const double l = least_us([&] { load_apart<<<threads / 256, 256>>>(data, more, stride); }, true);
    printf("apart %2d words           store %8.2f us  load %8.2f us of %zu lanes\n", stride, s, l, threads);
  }
  for (int kib = 64; kib <= 65536; kib *= 2) {
    const size_t n4 = size_t(kib) * 64;
    const double r = least_us([&] { read_once<<<n4 / 256, 256>>>((const float4*)data, more); }, true);
    const double c = least_us([&] { copy_once<<<n4 / 256, 256>>>((const float4*)data, (float4*)more); }, true);
    const double w = least_us([&] { read_once<<<n4 / 256, 256>>>((const float4*)data, more); }, false);
    printf("cold %6d KiB          read %8.2f us  copy %8.2f us   warm read %8.2f us\n", kib, r, c, w);
  }
  return 0;
}
