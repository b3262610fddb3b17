#pragma once
// The L2 of a GPU: one cache, or two halves that each serve half of the SMs and are home to half of the
// lines.
//
// Rules with two halves
// - An SM asks its own half (the near one), which asks the line's home if that is the far half.
// - Reading or storing a line whose home is far leaves a copy in the near half. The next access of that side
// finds
//   it there.
// - A store drops the copy of the other side, unless the home is far; so do atomics and stores of parts of
// sectors,
//   which leave the line at home alone.
//
// Example: an SM of side 0 reads a line with home 1: {far}, and both halves now hold it. It reads the line
// again: found near. An SM of side 1 adds to it atomically: the copy in half 0 is gone.
//
// So lines that one SM touches fill the L2 at two thirds of its size, and lines that all SMs read at half of
// it. Evidence: on an H100 a line that no SM of the side has touched takes 451 cycles if its home is far, 275
// if it is near, and 275 the second time either way (tests/microbench/l2_halves.cu: 381 on average for lines
// copied from the host, 337 for lines that one other SM has read or stored, which is 3 of 4 near; 293 the
// second time; 18 cycles of each are the chain's own).
#include "simt/caches/sectored_cache.hpp"

namespace dojo::simt {

class L2Cache {
 public:
  struct Found {
    uint8_t present = 0;  ///< sectors that hit
    bool far = false;     ///< the far half was asked
    uint8_t near = 0;     ///< of `present`, those that the near half holds
  };
  void resize(uint64_t bytes, bool halves) {
    halves_ = halves;
    half_[0].resize(halves ? bytes / 2 : bytes);
    half_[1].resize(halves ? bytes / 2 : 0);
  }
  void clear() { half_[0].clear(), half_[1].clear(); }
  /// Lines that fit when each is touched by one SM only.
  static uint64_t lines(uint64_t bytes, bool halves) { return bytes / 128 * (halves ? 2 : 3) / 3; }

  Found read(uint64_t line, uint8_t mask, int side, int* evicted) {
    const int home = home_of(line), here = halves_ ? side & 1 : 0;
    const uint8_t near = half_[here].touch(line, mask, false, evicted);
    const uint8_t rest = mask & uint8_t(~near);
    if (home == here || !rest) return {near, false, near};
    return {uint8_t(near | half_[home].touch(line, rest, false, evicted)), true, near};
  }
  Found store(uint64_t line, uint8_t mask, int side, int* evicted) {
    const int home = home_of(line), here = halves_ ? side & 1 : 0;
    const uint8_t present = half_[home].touch(line, mask, true, evicted);
    if (home != here)
      half_[here].touch(line, mask, false, evicted);
    else if (halves_)
      half_[1 - home].drop(line);
    return {present, home != here, present};
  }
  /// A store that fills none of its sectors: a copy of them would be incomplete, so only the home keeps the
  /// line. (An H100's SM finds 32 MiB that were stored by words 2 KiB apart half near, half far, and 4 % in
  /// DRAM; 32 MiB stored in lines, three of four near and 17 % in DRAM: tests/microbench/kept.cu.)
  Found store_parts(uint64_t line, uint8_t mask, int side, int* evicted) {
    return atomic(line, mask, side, evicted);
  }
  Found atomic(uint64_t line, uint8_t mask, int side, int* evicted) {
    const int home = home_of(line);
    if (halves_) half_[1 - home].drop(line);
    const uint8_t present = half_[home].touch(line, mask, true, evicted);
    return {present, halves_ && home != (side & 1), present};
  }
  /// Brings in sectors that came along with their pair, at home and in the half of the SM that asked (a chain
  /// of loads 32 bytes apart alternates between 700 and 278 cycles: tests/microbench/trips.cu). Returns the
  /// sectors that were there already.
  uint8_t fill(uint64_t line, uint8_t mask, int side, int* evicted) {
    const int home = home_of(line);
    if (halves_ && home != (side & 1)) half_[1 - home].touch(line, mask, false, evicted);
    return half_[home].touch(line, mask, false, evicted);
  }
  /// Sectors that DRAM doesn't have yet.
  uint64_t dirty_sectors() const { return half_[0].dirty_sectors() + half_[1].dirty_sectors(); }
  /// Starts to load the sets of a line into the host's cache.
  void prefetch(uint64_t line, int side) const {
    half_[home_of(line)].prefetch(line);
    if (halves_ && home_of(line) != (side & 1)) half_[side & 1].prefetch(line);
  }
  /// Is the line's home the far half?
  bool far(uint64_t line, int side) const { return halves_ && home_of(line) != (side & 1); }
  /// The half that is home to a line. It changes every 8 KiB (on an H100 90 % of lines 8 KiB apart differ by
  /// a half's latency, 65 % of lines 4 KiB apart, consecutive lines as rarely as chance:
  /// tests/microbench/homes.cu). Which higher address bits choose is not published: they are hashed.
  int home_of(uint64_t line) const {
    return halves_ ? int((line >> 6 & 1) ^ ((line >> 10) * 0x9E3779B97F4A7C15ull >> 63)) : 0;
  }

 private:
  SectoredCache half_[2];
  bool halves_ = false;
};

}  // namespace dojo::simt
