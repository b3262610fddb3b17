#pragma once
// The pipes of a quarter of an SM: which pipe executes an operation, and for how many cycles it is busy (the
// issue interval). Example: 64 lanes per cycle and SM are 16 per quarter, so a warp's 32 lanes keep the pipe
// for 2 cycles.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "ptx/code_shape.hpp"
#include "simt/gpu/device_model.hpp"

namespace dojo::simt {

using PipesFree = std::array<int64_t, 16>;  ///< by ptx::Pipe: cycle at which it accepts the next operation

class PipeRules {
 public:
  explicit PipeRules(const DeviceModel& m) {
    const auto& p = m.pipes;
    const auto interval = [](double lanes) {
      return std::max(1, int(std::lround(32.0 * kQuarters / lanes)));
    };
    using ptx::Pipe;
    interval_.fill(1);
    of(Pipe::alu) = interval(p.alu);
    of(Pipe::fma) = interval(p.fma);
    of(Pipe::fmaheavy) = interval(p.fmaheavy);
    of(Pipe::fp64) = interval(p.fp64);
    of(Pipe::xu) = interval(p.xu);
    of(Pipe::lsu) = p.lsu_issue_cycles;  // of a quarter; what the SM's unit takes is in SmMemory
    of(Pipe::tex) = p.lsu_issue_cycles;  // of a quarter, as a load's
    of(Pipe::tensor) = p.tensor_cycles;
    of(Pipe::uniform) = interval(p.uniform);
    one_fma_ = p.fma <= p.fmaheavy;
    lite_ = one_fma_ ? 1 : interval(p.fma - p.fmaheavy);
  }

  /// The pipe that executes an operation. Where multiply-adds have two pipes, the heavy one executes them as
  /// well as all integer products (`chain both` of tests/microbench/issue.cu: with three additions beside,
  /// the light pipe executes four in five).
  ptx::Pipe taker(const PipesFree& free, ptx::Pipe pipe) const {
    using ptx::Pipe;
    if (pipe != Pipe::fma || one_fma_) return counted(pipe);
    return free[size_t(Pipe::fmaheavy)] < free[size_t(Pipe::fma)] ? Pipe::fmaheavy : Pipe::fma;
  }
  /// Issues the operation at t.
  void take(PipesFree& free, const ptx::ShapeOp& op, int64_t t) const {
    using ptx::Pipe;
    const Pipe pipe = taker(free, op.pipe);
    const bool light = op.pipe == Pipe::fma && !one_fma_;
    free[size_t(pipe)] = t + (!light ? work(op) : pipe == Pipe::fma ? lite_ : interval_[size_t(pipe)]);
  }
  /// The pipe to which its busy time is counted.
  ptx::Pipe counted(ptx::Pipe pipe) const {
    return one_fma_ && pipe == ptx::Pipe::fmaheavy ? ptx::Pipe::fma : pipe;
  }
  /// Cycles for which it keeps its pipe busy.
  int work(const ptx::ShapeOp& op) const { return interval_[size_t(op.pipe)] * op.turns; }

  static constexpr int kQuarters = 4;

 private:
  int& of(ptx::Pipe p) { return interval_[size_t(p)]; }
  std::array<int, 16> interval_{};  // cycles between two operations
  bool one_fma_ = false;
  int lite_ = 1;  // of the light pipe for multiply-adds
};

}  // namespace dojo::simt
