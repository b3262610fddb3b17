// What an instruction takes by the banks of the register file that its operands lie in.
//   nvcc -O3 -std=c++17 -arch=sm_90 registers.cu -lnvrtc -lcuda -o registers && ./registers
// ptxas chooses registers so that they rarely meet. Here its machine code is changed: the three sources of 64
// instructions of one kind in a loop become those of a pattern, their reuse flags are cleared or set, each waits one cycle. What they
// compute doesn't matter. Cycles of a scheduler an instruction, by warps a scheduler.
#include <cuda.h>
#include <nvrtc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

static void check(bool ok, const char* what) {
  if (!ok) std::printf("%s failed\n", what), std::exit(1);
}

/// A loop of 64 times `line`, on sixteen sums (of `type`) and eight more values. Behind every `every`th of them `beside`.
static std::string source(const char* type, const char* constraint, const char* line, const char* beside, int every) {
  const std::string t = type, c = constraint;
  std::string s = "extern \"C\" __global__ void loop(" + t + "* data, long long* cycles, int turns) {\n __shared__ int here[64];\n " + t +
                  " s[16], a[8];\n int at = threadIdx.x % 32 * 4, got[8] = {};\n here[threadIdx.x % 64] = 0;\n"
                  " for (int i = 0; i < 16; ++i) s[i] = data[i];\n for (int i = 0; i < 8; ++i) a[i] = data[16 + i];\n"
                  " long long from = 0;\n"
                  "#pragma unroll 1\n for (int t = -1; t < turns; ++t) {\n if (t == 0) { __syncthreads(); from = clock64(); }\n";
  for (int i = 0; i < 64; ++i) {
    char text[300];
    std::snprintf(text, sizeof text, " asm volatile(\"%s\" : \"+%s\"(s[%d]) : \"%s\"(a[%d]), \"%s\"(a[%d]));\n", line, c.c_str(), i % 16, c.c_str(),
                  i % 8, c.c_str(), (i + 1) % 8);
    s += text;
    if (every > 0 && i % every == every - 1) s += std::string(" asm volatile(\"") + beside + "\" : \"+r\"(got[" + std::to_string(i / every % 8) + "]) : \"r\"(at), \"l\"(data));\n";
  }
  return s + " }\n __syncthreads();\n if (threadIdx.x == 0) *cycles = clock64() - from;\n " + t +
         " all = 0;\n for (int i = 0; i < 16; ++i) all += s[i];\n int more = 0;\n for (int g : got) more ^= g;\n if (all == 12345 || more == 77) data[0] = all;\n}\n";
}

static std::vector<char> assemble(const std::string& text) {
  nvrtcProgram p;
  check(nvrtcCreateProgram(&p, text.c_str(), "loop.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS, "nvrtcCreateProgram");
  const char* options[] = {"-arch=sm_90"};
  check(nvrtcCompileProgram(p, 1, options) == NVRTC_SUCCESS, "nvrtcCompileProgram");
  size_t n = 0;
  nvrtcGetCUBINSize(p, &n);
  std::vector<char> cubin(n);
  nvrtcGetCUBIN(p, cubin.data());
  nvrtcDestroyProgram(&p);
  return cubin;
}

constexpr int kSum = -1;   ///< the destination's register
constexpr int kLike = 100; ///< + an even register: this one, or the next, so that it is even where the destination is
constexpr int kUnlike = 200;

struct Pattern {
  const char* what;
  std::vector<std::array<int, 3>> sources;  ///< of one instruction after the other, in turn (255: the zero register)
  int reuse = 0;                            ///< bits: first, second, third source are kept for the next instruction
};

static int source_register(int r, int destination) {
  if (r == kSum) return destination;
  return r < kLike || r == 255 ? r : r < kUnlike ? r - kLike + destination % 2 : r - kUnlike + (destination + 1) % 2;
}

/// Fields of a 16-byte instruction (shared/NOTES.md of this project has the layout).
static void put(uint64_t w[2], int at, int bits, uint64_t value) {
  uint64_t& x = w[at / 64];
  const uint64_t mask = ((uint64_t(1) << bits) - 1) << at % 64;
  x = (x & ~mask) | (value << at % 64 & mask);
}

int main() {
  cuInit(0);
  CUdevice device;
  CUcontext context;
  cuDeviceGet(&device, 0), cuDevicePrimaryCtxRetain(&context, device), cuCtxSetCurrent(context);
  CUdeviceptr data, cycles;
  cuMemAlloc(&data, 4096), cuMemsetD8(data, 0, 4096), cuMemAlloc(&cycles, 8);

  struct Kind {
    const char *name, *type, *constraint, *line;
    unsigned opcode;                                 ///< bits 0 to 11
    const char* beside = "";
    int every = 0;
  };
  const char* fma = "fma.rn.f32 %0, %1, %2, %0;";
  const Kind kinds[] = {{"FFMA", "float", "f", fma, 0x223},
                        {"IMAD", "int", "r", "mad.lo.s32 %0, %1, %2, %0;", 0x224},
                        {"LOP3", "int", "r", "lop3.b32 %0, %1, %2, %0, 0x96;", 0x212},
                        {"FFMA, an LDS behind 4", "float", "f", fma, 0x223, "ld.volatile.shared.u32 %0, [%1];", 4},
                        {"FFMA, an STS behind 4", "float", "f", fma, 0x223, "st.volatile.shared.u32 [%1], %0;", 4},
                        {"FFMA, an LDG behind 8", "float", "f", fma, 0x223, "ld.volatile.global.u32 %0, [%2];", 8}};
  const std::array<int, 3> even{4, 6, 8}, odd{5, 7, 9}, four{4, 4, 4}, five{5, 5, 5};
  const Pattern patterns[] = {
      {"4 4 4", {four}},
      {"4 5 6", {{4, 5, 6}}},
      {"4 6 8, even", {even}},
      {"5 7 9, odd", {odd}},
      {"4 8 12, by four", {{4, 8, 12}}},
      {"4 6 5", {{4, 6, 5}}},
      {"4 6 4, one twice", {{4, 6, 4}}},
      {"4 6 and none", {{4, 6, 255}}},
      {"4 5 and none", {{4, 5, 255}}},
      {"4 6 8, then 5 7 9", {even, odd}},
      {"4 6 8 twice, then 5 7 9 twice", {even, even, odd, odd}},
      {"4 6 8, then 5 5 5 twice", {even, five, five}},
      {"4 6 8 twice, then 5 5 5 four times", {even, even, five, five, five, five}},
      {"4 6 8 four times, then 5 5 5 eight times", {even, even, even, even, five, five, five, five, five, five, five, five}},
      {"4 6 5, then 4 5 7", {{4, 6, 5}, {4, 5, 7}}},
      {"4 6 8, then 4 10 12", {even, {4, 10, 12}}},
      {"4 6 8, then 4 10 12, first kept", {even, {4, 10, 12}}, 1},
      {"4 6 8, then 10 4 12, first kept in vain", {even, {10, 4, 12}}, 1},
      {"4 6 8, then 4 6 10, first and second kept", {even, {4, 6, 10}}, 3},
      {"a sum, two of other banks", {{kUnlike + 4, kUnlike + 6, kSum}, {kUnlike + 8, kUnlike + 10, kSum}}},
      {"a sum, one of its bank", {{kLike + 4, kUnlike + 6, kSum}, {kLike + 8, kUnlike + 10, kSum}}},
      {"a sum, two of its bank", {{kLike + 4, kLike + 6, kSum}, {kLike + 8, kLike + 10, kSum}}},
  };
  for (const Kind& kind : kinds) {
    const std::vector<char> cubin = assemble(source(kind.type, kind.constraint, kind.line, kind.beside, kind.every));
    for (const Pattern& p : patterns) {
      std::vector<char> changed = cubin;
      int found = 0, seen = 0;
      size_t first = 0, last = 0;  // the loop: between the first and the last read of the clock
      for (size_t at = 0; at + 16 <= changed.size(); at += 16) {
        uint64_t w[2];
        std::memcpy(w, &changed[at], 16);
        if ((w[0] & 0xFFF) == 0x805 && (w[1] >> 8 & 0xFF) == 0x50) (seen++ ? last : first) = at;  // CS2R SR_CLOCKLO
      }
      if (!seen) std::printf("no clock found\n");
      for (size_t at = 0; at + 16 <= changed.size(); at += 16) {  // sections of code are aligned to 128 bytes
        uint64_t w[2];
        std::memcpy(w, &changed[at], 16);
        if (at < first || at > last || (w[0] & 0xFFF) != kind.opcode || (w[0] >> 12 & 7) != 7) continue;
        const auto& r = p.sources[size_t(found++) % p.sources.size()];
        const int destination = int(w[0] >> 16 & 255);
        const int at_bit[] = {24, 32, 64};
        for (int k = 0; k < 3; ++k) put(w, at_bit[k], 8, uint64_t(source_register(r[k], destination)));
        put(w, 122, 4, p.reuse);
        put(w, 105, 4, 1);  // one cycle to the next
        std::memcpy(&changed[at], w, 16);
      }
      CUmodule module;
      CUfunction f;
      check(cuModuleLoadData(&module, changed.data()) == CUDA_SUCCESS, "cuModuleLoadData");
      check(cuModuleGetFunction(&f, module, "loop") == CUDA_SUCCESS, "cuModuleGetFunction");
      std::printf("%-27s %-42s %3d changed:", kind.name, p.what, found);
      for (int warps : {1, 2, 4, 8}) {  // a scheduler
        std::vector<long long> all;
        for (int k = 0; k < 5; ++k) {
          int turns = 256;
          void* arguments[] = {&data, &cycles, &turns};
          check(cuLaunchKernel(f, 1, 1, 1, unsigned(warps * 128), 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS, "cuLaunchKernel");
          check(cuCtxSynchronize() == CUDA_SUCCESS, "the kernel");
          long long c = 0;
          cuMemcpyDtoH(&c, cycles, 8);
          all.push_back(c);
        }
        std::sort(all.begin(), all.end());
        std::printf(" %6.3f", double(all[2]) / (256.0 * 64 * warps));
      }
      std::printf("\n");
      cuModuleUnload(module);
    }
  }
}
