#pragma once
// How far the time model may be from what programs of tests/microbench measured on a GPU, and where it is
// known to be further off. docs/time-model.md states the same bounds.
#include <string_view>

namespace dojo::test {

/// Lines of a recording and what each of them may deviate by: `fraction` of the measured figure, or
/// `absolute` in its unit, whichever is more.
struct StatedBound {
  std::string_view recording, what;
  int lines = 0;  // that are compared
  double fraction = 0, absolute = 0;
  std::string_view unit = "";  // of `absolute`
};

/// Lines that deviate by more than the stated bound. A test fails when an entry is no longer needed or is
/// wider than the deviation: this table must shrink.
struct ExpectedMiss {
  std::string_view recording, what;
  std::string_view lines_like;  // `*`: anything
  double fraction = 0;
  std::string_view reason;
};

inline constexpr StatedBound kStatedBounds[] = {
    {"h100-busy.txt", "loads at a busy DRAM", 32, 0.15},
    {"h200-busy.txt", "loads at a busy DRAM", 32, 0.15},
    {"h100-constants.txt", "a chain of loads", 16, 0.2},
    {"h100-constants.txt", "loads apart", 10, 0.2},
    {"h200-fair.txt", "blocks that ask more of an SM than it gives", 24, 0.15},
    {"h100-hops.txt", "hops", 12, 0.15},
    {"h100-issue.txt", "loops of 1 to 8 warps per scheduler", 114, 0.15},
    {"h100-kept.txt", "percent of stored lines that come from DRAM", 6, 0, 6},
    {"h100-lines.txt", "loads from lines of the L1", 30, 0.03},
    {"h100-loops.txt", "loops of one warp", 11, 0.15},
    {"h100-microbench.txt", "lanes that meet on words, red int", 36, 0.2},
    {"h100-microbench.txt", "lanes that meet on words, red float", 36, 0.2},
    {"h100-registers.txt", "registers of one bank", 57, 0.08},
    {"h100-rows.txt", "rows loaded, worked on and stored", 135, 0.15},
    {"h100-rows.txt", "MB that copied rows write to DRAM", 18, 0, 4.5},
    {"h100-scalars.txt", "one element per thread", 72, 0.175},
    {"h100-scalars.txt", "one element per thread, with constants", 27, 0.175},
    {"h200-scalars.txt", "one element per thread, with constants", 81, 0.21},
    {"h100-shares.txt", "blocks that share DRAM", 12, 0.15},
    {"h100-shares.txt", "blocks that read the same", 12, 0.15},
    {"h100-slots.txt", "a block's place", 144, 0.15},
    {"h200-slots.txt", "a block's place", 144, 0.15},
    {"h100-straddle.txt", "global loads of consecutive words", 26, 0.02},
    {"h100-straddle.txt", "shared loads of consecutive words", 26, 0.02},
    {"h100-straddle.txt", "global loads of words apart", 16, 0.02},
    {"h100-straddle.txt", "shared loads of words apart", 16, 0.02},
    {"h100-streams.txt", "kernels that move data", 92, 0.15},
    {"h100-streams.txt", "blocks that read in bursts", 36, 0.15},
    {"h100-streams.txt", "kernels that move data which the L2 holds", 84, 0.15},
    {"h200-streams.txt", "kernels that move data which the L2 holds", 84, 0.15},
    {"h100-sums.txt", "blocks that read and add to a word", 54, 0.15},
    {"h200-sums.txt", "blocks that read and add to a word", 54, 0.15},
    {"h200-tails.txt", "how blocks end", 108, 0.15},
    {"h100-taps.txt", "loads that meet lines in flight", 58, 0.17},
    {"h200-taps.txt", "loads that meet lines in flight", 22, 0.17},
    {"h100-tiny.txt", "kernels of one warp per block", 54, 0.15},
};

inline constexpr ExpectedMiss kExpectedMisses[] = {
    {"h100-loops.txt", "loops of one warp", "product 32 lanes*", 0.35,
     "32 words of one bank: a pass takes one warp 2.2 cycles, though the unit only one. Not modelled."},
};

}  // namespace dojo::test
