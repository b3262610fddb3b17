// What a warp's load that hits the L1 takes of an SM, by where its lanes' words lie: aligned, across two lines, apart, the same.
//   nvcc -O3 -std=c++17 -arch=sm_90 straddle.cu -o straddle && ./straddle
// One block of 32 warps on one SM. Sixteen loads a turn with constant offsets, so that issuing them takes 0.4 cycles a load of the SM
// (lines.cu, which computes its addresses, can't see less than 2.5). Cycles of the SM a load, global and shared.
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int kLoads = 16, kTurns = 128, kPitch = 2048;  // bytes between the loads of a turn

template <int BYTES, bool SHARED>
__device__ void load(unsigned long long at, int k, unsigned (&v)[4]) {
  if constexpr (SHARED) {
    const unsigned a = unsigned(at) + k * kPitch;
    if constexpr (BYTES == 4) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v[0]) : "r"(a));
    if constexpr (BYTES == 8) asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(v[0]), "=r"(v[1]) : "r"(a));
    if constexpr (BYTES == 16)
      asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "r"(a));
  } else {
    const unsigned long long a = at + k * kPitch;
    if constexpr (BYTES == 4) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[0]) : "l"(a));
    if constexpr (BYTES == 8) asm volatile("ld.global.ca.v2.u32 {%0, %1}, [%2];" : "=r"(v[0]), "=r"(v[1]) : "l"(a));
    if constexpr (BYTES == 16)
      asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "l"(a));
  }
}

template <int BYTES, bool SHARED>
__global__ void many(const char* data, const int* words, unsigned* out, long long* cycles) {
  extern __shared__ char here[];
  for (int i = threadIdx.x; i < kLoads * kPitch / 4; i += blockDim.x) ((int*)here)[i] = i;
  unsigned long long at = SHARED ? __cvta_generic_to_shared(here) : (unsigned long long)data;
  at += words[threadIdx.x % 32] * 4;
  unsigned sum = 0, v[kLoads][4] = {};
  long long from = 0;
  for (int turn = -1; turn < kTurns; ++turn) {
    if (turn == 0) {
      __syncthreads();
      from = clock64();
    }
#pragma unroll
    for (int k = 0; k < kLoads; ++k) load<BYTES, SHARED>(at, k, v[k]);
#pragma unroll
    for (int k = 0; k < kLoads; ++k) sum ^= v[k][0];
  }
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - from;
  out[threadIdx.x] = sum;
}

struct Bench {
  char* data;
  int* words;
  unsigned* out;
  long long* cycles;

  template <int BYTES, bool SHARED>
  double time() {
    cudaFuncSetAttribute(many<BYTES, SHARED>, cudaFuncAttributeMaxDynamicSharedMemorySize, kLoads * kPitch);
    std::vector<long long> all;
    for (int k = 0; k < 5; ++k) {
      many<BYTES, SHARED><<<1, 1024, kLoads * kPitch>>>(data, words, out, cycles);
      long long c;
      cudaMemcpy(&c, cycles, 8, cudaMemcpyDeviceToHost);
      all.push_back(c);
    }
    std::sort(all.begin(), all.end());
    return double(all[2]) / (kTurns * kLoads * 32);
  }
  template <int BYTES, class Word>
  void show(const char* what, Word word) {
    std::vector<int> w(32);
    for (int lane = 0; lane < 32; ++lane) w[lane] = word(lane);
    cudaMemcpy(words, w.data(), 128, cudaMemcpyHostToDevice);
    const double global = time<BYTES, false>(), shared = time<BYTES, true>();
    std::printf("%2d bytes, %-44s global %6.2f, shared %6.2f\n", BYTES, what, global, shared);
  }
};

int main() {
  Bench b;
  cudaMalloc((void**)&b.data, 1 << 20), cudaMalloc((void**)&b.words, 128), cudaMalloc((void**)&b.out, 4096), cudaMalloc((void**)&b.cycles, 8);
  cudaMemset(b.data, 0, 1 << 20);
  char name[64];
  for (int shift : {0, 1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 17, 24, 28, 31}) {
    std::snprintf(name, sizeof name, "side by side, %d words on", shift);
    b.show<4>(name, [=](int lane) { return lane + shift; });
  }
  for (int stride : {2, 3, 4, 5, 8, 16, 32, 33})
    for (int shift : {0, 1}) {
      std::snprintf(name, sizeof name, "%d words apart, %d words on", stride, shift);
      b.show<4>(name, [=](int lane) { return lane * stride % 480 + shift; });
    }
  b.show<4>("all the same", [](int) { return 0; });
  b.show<4>("two words of a line, by halves", [](int lane) { return lane / 16; });
  b.show<4>("two lines, the same bank, by halves", [](int lane) { return lane / 16 * 32; });
  b.show<4>("two lines, other banks, by halves", [](int lane) { return lane / 16 * 33; });
  b.show<4>("two lines, other banks, in turn", [](int lane) { return lane % 2 * 33; });
  b.show<4>("pairs of lanes the same", [](int lane) { return lane / 2; });
  b.show<4>("reversed", [](int lane) { return 31 - lane; });
  b.show<4>("reversed, 1 word on", [](int lane) { return 32 - lane; });
  b.show<4>("halves, 64 words apart", [](int lane) { return lane + lane / 16 * 48; });
  b.show<4>("quarters, 64 words apart", [](int lane) { return lane + lane / 8 * 56; });
  b.show<4>("eighths, 32 words apart, own banks", [](int lane) { return lane + lane / 4 * 32; });
  for (int shift : {0, 2, 4, 8, 16, 30}) {
    std::snprintf(name, sizeof name, "side by side, %d words on", shift);
    b.show<8>(name, [=](int lane) { return 2 * lane + shift; });
  }
  b.show<8>("all the same", [](int) { return 0; });
  b.show<8>("pairs of lanes the same", [](int lane) { return lane / 2 * 2; });
  b.show<8>("halves the same", [](int lane) { return lane % 16 * 2; });
  for (int shift : {0, 4, 8, 16, 28}) {
    std::snprintf(name, sizeof name, "side by side, %d words on", shift);
    b.show<16>(name, [=](int lane) { return 4 * lane + shift; });
  }
  b.show<16>("all the same", [](int) { return 0; });
  b.show<16>("pairs of lanes the same", [](int lane) { return lane / 2 * 4; });
  b.show<16>("fours of lanes the same", [](int lane) { return lane / 4 * 4; });
  b.show<16>("quarters the same", [](int lane) { return lane % 8 * 4; });
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
