#pragma once
// One file on one device, once: compile, place the buffers, call the entry, read back, check. No gates.
#include <string>

#include "core/device.hpp"
#include "core/labs/lab.hpp"
#include "core/problem.hpp"
#include "core/report.hpp"
#include "run/runner.hpp"

namespace dojo::run {

struct Job {
  const Step* step = nullptr;
  const Problem* problem = nullptr;
  const Instance* instance = nullptr;  ///< of this size and seed
  std::string who;                     ///< "student", "reference"
  std::string shown_file;              ///< as messages name it
  std::string source;                  ///< CUDA C++, or PTX when `is_ptx`
  bool is_ptx = false;                 ///< a handout's reference
  bool debug = false;                  ///< compile unoptimised, keep the order of the source; no time model
  bool timing = true;                  ///< false: no time is modelled or measured
  bool apart = false;                  ///< RunControl::apart
  bool twice = false;  ///< call the entry again if it left a variable changed (step/second_call.hpp)
  std::function<Instance()> other_inputs;  ///< of the same size, for the second call; empty: the same inputs
  bool lines = false, blocks = false;
  bool exchanges = false;  ///< RunControl::exchanges
  bool opcodes = false;    ///< keep how often each PTX opcode ran (core/host_work.hpp)
  double time_limit_s = 20;
  int threads = 0;
  std::shared_ptr<StepTrace> steps;    ///< a block to record; then no time model and no check of the result
  uint64_t max_warp_instructions = 0;  ///< 0: none
  /// A kernel to launch in the place of the entry; its `kernel` is the base name, its parameters are those of
  /// the instance.
  const LaunchSpec* launch = nullptr;
};

/// What ran when, where there is anything to overlap or `always`. Before Device::take_launches().
void keep_timeline(RunReport&, Device&, bool always = false);
/// Runs a job on a freshly opened device. Whatever the file does ends up in the report. Throws Error when the
/// size doesn't fit the device or the run was cancelled.
RunReport execute(const Job&, Device&, const RunHooks&);

/// Compiles a job's file for a device, as execute does. Never throws on bad source.
Compiled compile_job(const Job&, const DeviceInfo&);

/// True when the hooks ask to stop.
inline bool cancelled(const RunHooks& h) { return h.cancelled && h.cancelled(); }
/// What a cancelled run throws: exit status 130, as after Ctrl+C.
[[noreturn]] void throw_cancelled();

/// True for findings that an unoptimised compile may be asked for: what it takes more of (registers, time) is
/// left out, so no launch errors, deadlocks or limits.
bool holds_as_written(const Diagnostic&);

/// The worse of two statuses, in the order in which exit statuses take precedence.
Status worse(Status, Status);
/// The figures that follow from time, bytes and operations.
void fill_rates(RunReport&, const Instance&, const DeviceInfo&);

}  // namespace dojo::run
