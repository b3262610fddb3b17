#pragma once
// What-if arithmetic for two dependent kernels of tiles: how the block slots of a GPU's SMs fill, wave by
// wave, under each way of making the second wait for the first. A scheduler of blocks and nothing else: no
// cache, no clock, no bandwidth. A slot holds one resident block; there are sms x blocks_per_sm. Everything
// it says is modelled.
#include <cstdint>
#include <string>
#include <vector>

namespace dojo {

/// How a tile of the second kernel waits for the first: for all of it (one stream), for each tile that it
/// reads as it gets to it, or for the row of tiles that it reads.
enum class WaitPolicy : uint8_t { stream, tile, row };
const char* to_string(WaitPolicy);  ///< "stream order", "TileSync", "RowSync"

/// A kernel's grid of tiles, and how long one takes when it waits for no other tile.
struct TileGrid {
  int rows = 0, columns = 0;
  double tile_us = 1;
  int64_t count() const { return int64_t(rows) * columns; }
};

struct WhatIf {
  TileGrid first, second;  ///< tile (r, c) of the second reads row r * first.rows / second.rows of the first;
                           ///< second.rows may be 0
  int sms = 4, blocks_per_sm = 1;
  double launch_us = 0;  ///< between two kernels of one stream
  double wait_us = 0;    ///< what one wait costs that finds its post there: a poll, a barrier
  double post_us = 0;    ///< what taking a ticket and posting costs a tile
  int capacity() const { return sms * blocks_per_sm; }
};

/// A tile's time in a slot, µs: the slot is idle until `start`; `waiting` of the time until `end` is spent in
/// waits.
struct TileSpan {
  int slot = 0;    ///< 0 .. capacity - 1; SM = slot % sms
  int kernel = 0;  ///< 0 or 1
  int row = 0, column = 0;
  double start = 0, end = 0, waiting = 0;
};

struct Forecast {
  WaitPolicy policy = WaitPolicy::stream;
  double time_us = 0;
  double utilization = 0;       ///< work (waiting and library apart) / (slots x time), 0..1
  double waiting_us = 0;        ///< summed over all slots
  std::vector<TileSpan> spans;  ///< in the order of tickets; empty when not asked for
};

/// ceil(tiles / capacity) of one kernel.
int64_t waves_of(int64_t tiles, int capacity);
/// Waves of both, one after the other, and with all tiles together.
int64_t waves_apart(const WhatIf&);
int64_t waves_together(const WhatIf&);
/// The shortest time that any order could reach: work / slots, or the longest chain of two tiles.
double ideal_us(const WhatIf&);

/// Gives every tile a slot: the first kernel's row by row, then the second's, each the slot that is free
/// first; the second's come when all of the first's have started (what a wait kernel ensures). Throws Error
/// on sizes that make no sense or more than two million tiles.
Forecast forecast(const WhatIf&, WaitPolicy, bool spans = true);

/// GPT-3's feed-forward pair, X[m x 12288] . [12288 x 6144] . [6144 x 12288], in tiles of tile_m x tile_n, on
/// a GPU whose SMs multiply at `tflops` together.
WhatIf mlp(int m, int tile_m, int tile_n, int sms, double tflops);
/// What a wait costs in `mlp`, µs: what the published implementation's TileSync adds per
/// wait at M = 512 (438 against 405 µs, two tiles of 24 waits each one after the other).
constexpr double kMlpWaitUs = 0.7;

}  // namespace dojo
