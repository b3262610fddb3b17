#pragma once
// The two front ends beside each other: what becomes of every reference when NVRTC compiles it and when clang
// does. Memory counters by kernel, verdicts, modelled times against a recording: `warpdojo bench front-ends`,
// which prints the tables of docs/clang.md.
#include <map>
#include <string>
#include <vector>

#include "core/report.hpp"
#include "run/bench.hpp"

namespace dojo::run {

/// A counter of a kernel, summed over its launches, that is not equal.
struct UnequalCounter {
  std::string name;  ///< short name
  double nvrtc = 0, clang = 0;
};

/// A kernel of a reference; `unequal` is empty where both have equal memory counters.
struct FrontEndKernel {
  std::string kernel;
  std::vector<UnequalCounter> unequal;
  /// Requests, sectors and wavefronts are equal; numbers of load and store instructions may differ, since an
  /// instruction whose lanes are all switched off makes no request.
  bool equal_traffic() const;
  /// What follows from the counters that differ, in words; empty where none does.
  std::string reason() const;
};

/// One reference with one front end.
struct FrontEndRun {
  bool compiled = false, right = false, passed = false;
  std::string verdict;  ///< "pass", or what kept it from that
  double modelled_us = 0, compile_ms = 0;
  std::map<std::string, Counters> kernels;
};

struct FrontEndRow {
  std::string step, size;
  FrontEndRun nvrtc, clang;
  double recorded_us = 0;  ///< of a GPU at this size; 0: not recorded
  std::vector<FrontEndKernel> kernels;
};

/// What a report says of its only run.
FrontEndRun front_end_run(const Report&);
/// The kernels that both have, in the order of their names. A kernel that one lacks has the counter
/// "launches" unequal.
std::vector<FrontEndKernel> compare_kernels(const FrontEndRun& nvrtc, const FrontEndRun& clang);

/// The tables in Markdown. `timed`: with verdicts of gates and times.
std::string front_ends_text(const std::vector<FrontEndRow>&, bool timed);
Figures front_ends_figures(const std::vector<FrontEndRow>&, bool timed);

/// Makes it known as the bench family "front-ends".
void register_front_ends_bench();

}  // namespace dojo::run
