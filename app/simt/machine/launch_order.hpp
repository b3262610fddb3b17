#pragma once
// Which launches come before which, whatever time they take: by streams, events and programmatic dependence.
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "simt/trace.hpp"

namespace dojo::simt {

class LaunchOrder {
 public:
  /// `nodes`: each names only earlier ones in `after` and `after_start`. `early`: may that launch let its
  /// dependent launches start before its blocks have ended? If not, it is over when they start, and they need
  /// no griddepcontrol.wait (PTX ISA, griddepcontrol: only after a launch_dependents is a wait necessary).
  LaunchOrder(std::span<const LaunchNode> nodes, const std::function<bool(uint32_t launch)>& early);

  /// Each launch comes behind the one before it has ended: one stream, say.
  bool chain() const { return chain_; }
  /// More launches than orders are kept of (4096): what ran earlier is then taken as over.
  bool unknown() const { return unknown_; }
  /// Is launch `a` over when `b` starts? `waited`: when a block of `b` has passed griddepcontrol.wait?
  bool before(uint32_t a, uint32_t b, bool waited = false) const {
    if (chain_ || unknown_) return a < b;
    return (rows_[waited][size_t(b) * words_ + a / 64] >> (a % 64)) & 1;
  }

 private:
  bool chain_ = true, unknown_ = false;
  size_t words_ = 0;
  std::vector<uint64_t>
      rows_[2];  ///< by launch, one bit for each other: [0] when it starts, [1] when it has waited
};

}  // namespace dojo::simt
