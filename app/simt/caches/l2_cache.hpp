#pragma once
// The L2 of a GPU: one cache, or two halves that each serve half of the SMs and are home to half of the
// lines.
//
// A line whose home is the far half is kept in the near one too once an SM of this side has read or stored
// it: on an H100 a line that nobody of the side had touched takes 451 cycles if its home is far, 275 if it is
// near, and 275 the second time either way (tests/microbench/l2_halves.cu: 381 on average of lines copied
// from the host, 337 of lines that one other SM has read or stored, which is 3 of 4 near; 293 the second
// time; 18 of each are the chain's own). So what all SMs touch once fills the L2 at two thirds of its size,
// and what all of them read at half of it.
#include "simt/caches/sectored_cache.hpp"

namespace dojo::simt {

class L2Cache {
 public:
  struct Found {
    uint8_t present = 0;  ///< sectors that were there
    bool far = false;     ///< the far half was asked
    uint8_t near = 0;     ///< of `present`, those that needn't be asked of the far half for a load
  };
  void resize(uint64_t bytes, bool halves) {
    halves_ = halves;
    half_[0].resize(halves ? bytes / 2 : bytes);
    half_[1].resize(halves ? bytes / 2 : 0);
  }
  void clear() { half_[0].clear(), half_[1].clear(); }
  /// Lines that fit when each is touched by one SM.
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
  /// A store that fills none of the sectors: a copy of them would not be whole, so the line stays at home
  /// alone. (Of 32 MiB that were stored by words 2 KiB apart an H100's SM finds half near, half far, and 4 %
  /// in DRAM; of 32 MiB in lines three of four near but for 17 % in DRAM: tests/microbench/kept.cu.)
  Found store_parts(uint64_t line, uint8_t mask, int side, int* evicted) {
    return atomic(line, mask, side, evicted);
  }
  Found atomic(uint64_t line, uint8_t mask, int side, int* evicted) {
    const int home = home_of(line);
    if (halves_) half_[1 - home].drop(line);
    const uint8_t present = half_[home].touch(line, mask, true, evicted);
    return {present, halves_ && home != (side & 1), present};
  }
  /// Brings sectors in unasked for, at home and for the side whose SM asked for their neighbours (chains of
  /// loads 32 bytes apart take 700 and 278 cycles in turn: tests/microbench/trips.cu); those that were there.
  uint8_t fill(uint64_t line, uint8_t mask, int side, int* evicted) {
    const int home = home_of(line);
    if (halves_ && home != (side & 1)) half_[1 - home].touch(line, mask, false, evicted);
    return half_[home].touch(line, mask, false, evicted);
  }
  uint64_t dirty_sectors() const { return half_[0].dirty_sectors() + half_[1].dirty_sectors(); }
  void prefetch(uint64_t line, int side) const {
    half_[home_of(line)].prefetch(line);
    if (halves_ && home_of(line) != (side & 1)) half_[side & 1].prefetch(line);
  }
  bool far(uint64_t line, int side) const { return halves_ && home_of(line) != (side & 1); }
  /// The half that is home to a line: 8 KiB in turn (an H100: of lines 8 KiB apart 90 % differ by a half's
  /// latency, 4 KiB apart 65, a line apart as few as chance has; tests/microbench/homes.cu). Which other
  /// address bits choose is not published, so they are stirred.
  int home_of(uint64_t line) const {
    return halves_ ? int((line >> 6 & 1) ^ ((line >> 10) * 0x9E3779B97F4A7C15ull >> 63)) : 0;
  }

 private:
  SectoredCache half_[2];
  bool halves_ = false;
};

}  // namespace dojo::simt
