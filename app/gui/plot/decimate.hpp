#pragma once
// A block timeline of any length as few enough rectangles: blocks narrower than a pixel melt into
// stretches of one SM's row. Pure geometry; the panel draws what comes out.
#include <array>
#include <cstdint>
#include <vector>

#include "core/report.hpp"

namespace dojo::gui {

/// How a block was left: where its run was stopped before its end, it may still run or wait.
enum class BlockState : uint8_t { ended, runs, waits };

/// A block of one run on the timeline; launches are told apart by colour.
struct Span {
  float start = 0, end = 0;  ///< microseconds; end: infinity where the block never ended
  uint16_t sm = 0;
  uint16_t launch = 0;
  uint32_t block = 0;
  BlockState state = BlockState::ended;
};

/// A stretch of one row. `blocks` of 1 is one block that can be told apart.
struct Stretch {
  float start = 0, end = 0;
  uint16_t sm = 0, launch = 0;
  uint32_t first = 0;  ///< index into the sorted spans
  uint32_t blocks = 1;
  uint16_t lane = 0, lanes = 1;  ///< blocks resident together share the row's height
};

/// All blocks of a run, sorted by SM, then lane, then start.
struct Timeline {
  std::vector<Span> spans;
  std::vector<uint32_t> row;                ///< index of each SM's first span; one more at the end
  std::vector<uint16_t> lane;               ///< of each span: which of the SM's resident slots (0 first)
  std::vector<uint32_t> by_start;           ///< spans of each row in order of their start
  std::vector<uint16_t> lanes;              ///< of each SM: how many slots were used at once
  std::vector<std::array<float, 3>> waits;  ///< spinning: SM, start, end
  int sms = 0;
  double end_us = 0;
  double first_idle_us = 0;  ///< when the first SM ran out of blocks for good: the tail starts
  double idle_share = 0;     ///< SM-time without a block, between 0 and end_us
  // Of a run that was stopped.
  bool stopped = false;
  uint64_t runs = 0, waits_for_ever = 0, not_begun = 0;  ///< blocks
  double settled_us = 0;  ///< the last start, end, or beginning of a wait for ever
};

/// The longest part of [start, end] in which no block of the SM waits.
std::array<float, 2> longest_without_wait(const Timeline&, int sm, float start, float end);

/// Was the launch stopped before its end? Its counts are not whole, so its report has none.
bool stopped_early(const RunReport&, const LaunchReport&);
BlockState state_of(const RunReport&, const LaunchReport&, const BlockSpan&);

/// Lays out a run's blocks. `sms`: of the device (rows without a block exist too). A run without block
/// spans gives an empty timeline.
Timeline lay_out(const RunReport&, int sms);

/// What to draw of [from, to] µs at `pixels` width: blocks at least `min_px` wide stand alone, runs of
/// narrower ones that touch (gap under a pixel) are joined. With `per_lane` false all slots of an SM share
/// one row (for rows of only a few pixels).
std::vector<Stretch> decimate(const Timeline&, double from, double to, double pixels, bool per_lane,
                              double min_px = 1.5);

/// The span under a point (row, µs, lane share 0..1 of the row's height), or -1.
int64_t span_at(const Timeline&, int sm, double us, double lane01, bool per_lane);

/// A share as "37.5 %". Not quite all is "over 99.9 %", and not quite nothing "under 0.1 %".
std::string share_text(double share);

}  // namespace dojo::gui
