// Shuffles of all modes, segments and masks, against their definition in the PTX ISA.
#include "machine_rig.hpp"

using dojo::test::Rig;

namespace {

struct Shuffled {
  int value, inside;
};

/// Lane `lane` of a warp whose lanes hold 100 plus their number.
Shuffled by_definition(int mode, int lane, int argument, int clamp, int segment) {
  const int least = lane & segment, most = least | (clamp & ~segment);
  const int from = mode == 0   ? lane - argument
                   : mode == 1 ? lane + argument
                   : mode == 2 ? lane ^ argument
                               : least | (argument & ~segment);
  const bool inside = mode == 0 ? from >= most : from <= most;
  return {100 + (inside ? from : lane), inside};
}

}  // namespace

TEST_CASE("machine: each mode of shuffle reads the lane that its argument and segment name") {
  Rig rig(R"(
#define SHUFFLE(MODE)                                                                                  \
  asm volatile("{ .reg .pred p; shfl.sync." MODE ".b32 %0|p, %2, %3, %4, %5; selp.b32 %1, 1, 0, p; }"  \
               : "=r"(value), "=r"(inside) : "r"(100 + lane), "r"(argument), "r"(clamp), "r"(mask))
__global__ void k(int2* out, int mode, int uniform, int clamp, unsigned mask) {
  const int lane = threadIdx.x;
  if (!(mask >> lane & 1)) return;
  const int argument = uniform < 0 ? (lane * 7 + 3) & 31 : uniform;
  int value, inside;
  if (mode == 0) SHUFFLE("up");
  if (mode == 1) SHUFFLE("down");
  if (mode == 2) SHUFFLE("bfly");
  if (mode == 3) SHUFFLE("idx");
  out[lane] = {value, inside};
}
)");
  const uint64_t out = rig.blank(32 * 8);
  for (const uint32_t mask : {~0u, 0x00ff00ffu})
    for (int mode = 0; mode < 4; ++mode)
      for (const int segment : {0, 24, 16})
        for (const int argument : {-1, 1, 4, 31}) {
          const int clamp = mode == 0 ? 0 : 31;
          rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, out, mode, argument, clamp | segment << 8, mask);
          const std::string found = rig.found();  // of a part of the warp: lanes that it does not name
          CHECK((found.empty() || mask != ~0u));
          const auto got = rig.read<Shuffled>(out, 32);
          for (int lane = 0; lane < 32; ++lane) {
            if (!(mask >> lane & 1)) continue;
            const Shuffled want =
                by_definition(mode, lane, argument < 0 ? (lane * 7 + 3) & 31 : argument, clamp, segment);
            CAPTURE(mode);
            CAPTURE(segment);
            CAPTURE(argument);
            CAPTURE(lane);
            CHECK(got[size_t(lane)].inside == want.inside);
            if (mask >> (want.value - 100) & 1) CHECK(got[size_t(lane)].value == want.value);
          }
        }
}
