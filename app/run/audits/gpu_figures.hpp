#pragma once
// What a recording from a real GPU says of each step: time, rate, share of the ceiling, ratio to the library
// beside it.
#include <string>
#include <vector>

#include "core/labs/lab.hpp"
#include "run/bench.hpp"
#include "run/recordings/recording.hpp"

namespace dojo::run {

struct GpuFigure {
  std::string step, size;  ///< "reduce/14-open", "33554432" or "cols=1024,rows=49152"
  bool open = false;
  double us = 0;  ///< median time of the reference
  double gbps = 0, tflops = 0;
  bool by_arithmetic = false;  ///< the operations bind rather than the bytes: tflops is the rate to look at
  /// Least time that the ceilings allow over the time taken, 0..1. The ceilings are those of the recording
  /// itself: the fastest read and the fastest copy in it, and the fp32 peak by clock and lanes. 0: unknown
  /// (tensor cores).
  double of_ceiling = 0;
  std::string library;    ///< the fastest baseline beside it, "cub"; empty: none
  double vs_library = 0;  ///< its time over the reference's: above 1 is ahead
};

/// One figure for each report in which the reference passed.
std::vector<GpuFigure> gpu_figures(const Catalog&, const Recording&);

/// `bench cuda`: cuda.STEP@SIZE.us, .gbps or .tflops, .of_ceiling, and .vs_library where there is one.
Figures cuda_bench_figures(const std::vector<GpuFigure>&);

/// README's table, in Markdown, with a line that says what recorded it and when. The largest size of each
/// step.
std::string gpu_table(const Catalog&, const Recording&);

}  // namespace dojo::run
