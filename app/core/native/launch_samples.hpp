#pragma once
// Sampling of a long run: each kernel's first launches run in detail (checked, counted, timed), the others
// for their results only. What those would have counted is estimated from the launch in detail that is most
// like them, in proportion to the instructions executed: of 2000 instructions as against 1000, twice the
// sectors and twice the time.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "core/report.hpp"

namespace dojo {

/// What a device asks about its launches (simt/device/executed.hpp).
class LaunchSampler {
 public:
  virtual ~LaunchSampler() = default;
  /// Asked once before each launch.
  virtual bool in_detail(const std::string& kernel, const LaunchSpec&) = 0;
  /// A launch that ran in detail.
  virtual void learn(const LaunchReport&) = 0;
  /// The time of a launch that ran for its results; 0: there is nothing to estimate it from.
  virtual double estimate_us(const LaunchReport& of_results) = 0;
};

/// Whether the launch ran for its results only: its one counter is `opcode_prefix`, the PTX instructions that
/// warps executed.
bool results_only(const LaunchReport&);
/// That counter's value, also of a launch in detail.
double ptx_instructions(const LaunchReport&);

class LaunchSamples final : public LaunchSampler {
 public:
  /// How many launches of a kernel run in detail, of each size of block and each magnitude of the number of
  /// blocks (1, 2-3, 4-7, ...). 0: all.
  int64_t first = 0;
  bool looking = true;  ///< off: none runs in detail, and none is counted

  bool in_detail(const std::string& kernel, const LaunchSpec&) override;
  void learn(const LaunchReport&) override;
  double estimate_us(const LaunchReport& of_results) override;
  /// Fills in time, bounds and sums of counters (".sum") of a launch that ran for its results. False: there
  /// is nothing to estimate them from.
  bool estimate(LaunchReport& of_results) const;

 private:
  struct Sample {
    double instructions = 0, time_us = 0;
    Bounds bounds;
    Counters sums;
  };
  /// The sample that is most like a launch, and what its figures are to be multiplied by.
  struct Scaled {
    const Sample* sample = nullptr;
    double factor = 1;
  };
  Scaled nearest(const LaunchReport&) const;
  std::map<std::string, std::vector<Sample>> samples_;  ///< by kernel, the latest last
  std::map<std::string, int64_t> seen_;                 ///< launches, by kernel and size
};

}  // namespace dojo
