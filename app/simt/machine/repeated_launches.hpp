#pragma once
// Launches that would do again what they did before. Benchmarks launch a kernel a thousand times with the
// same arguments; where nothing that it reads or writes has changed since, the memory stays as it is.
//
// A launch is repeated exactly if it has the same kernel, shape and parameters as an earlier one, that one
// wrote to no allocation that it read, and nothing else has changed an allocation that it read or wrote. For
// y = 2 x, x is read and y is written: the second launch would write the same bytes. For x = 2 x it would
// not.
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "simt/state/exec.hpp"

namespace dojo::simt {

class RepeatedLaunches {
 public:
  struct Counts {
    uint64_t warp_instructions = 0, thread_instructions = 0;  ///< PTX
  };

  /// A copy or a fill has changed an allocation.
  void changed(const Region& r) { changed_[&r] = ++changes_; }
  /// Of other modules' kernels nothing is known.
  void forget() { launches_.clear(), kinds_.clear(); }
  /// How many changes there were: for ran().
  uint64_t changes() const { return changes_; }
  /// What the launch would execute, if it would change nothing; else null.
  const Counts* find(const Grid&) const;
  void leave_out() { ++left_out_; }
  /// Launches that did not run.
  uint64_t left_out() const { return left_out_; }
  /// The launch has run. `since`: changes() when it began; `alone`: no other launch ran beside it.
  void ran(const Grid&, std::span<const TouchedRegion>, uint64_t since, bool alone, Counts);

 private:
  /// What a kernel's code says of its launches: what they write is noted, and it follows from what they read.
  struct Kind {
    bool noted = true, follows = true;
  };
  struct Launch {
    Dim3 grid, block;
    uint32_t dynamic_smem = 0;
    std::vector<std::byte> params;
    std::vector<std::pair<const Region*, uint64_t>> regions;  ///< each with its version
    Counts counts;
  };
  static Kind kind_of(const Grid&);
  /// The number of its last change.
  uint64_t version(const Region*) const;

  uint64_t left_out_ = 0;
  uint64_t changes_ = 0, all_ = 0;  ///< all_: the last change of any allocation
  std::unordered_map<const Region*, uint64_t> changed_;
  std::map<const ptx::Function*, std::vector<Launch>>
      launches_;  ///< of each kernel the latest, the oldest first
  std::map<const ptx::Function*, Kind> kinds_;
};

}  // namespace dojo::simt
