#pragma once
// One step, start to report: problem, compile, host code on a device, check, gates. In process; the worker
// (worker.hpp) wraps it in a child. Also `play`: a whole program.
#include <functional>
#include <optional>
#include <string>

#include "core/code_listing.hpp"
#include "core/device.hpp"
#include "core/gates/gate.hpp"
#include "core/labs/lab.hpp"
#include "core/report.hpp"
#include "core/step_trace.hpp"

namespace dojo::run {

enum class Who { student, reference, both };

/// A block to record instruction by instruction, instead of a run with verdict and times.
struct TraceAsk {
  bool on = false;
  uint32_t launch = 0;    ///< of the run, from 0
  uint64_t block = 0;     ///< linear index, x fastest
  uint32_t most = 20000;  ///< warp instructions kept
  uint64_t skip = 0;      ///< and those left out before them
  std::string kernel;     ///< not empty: `launch` counts this kernel's launches only
  bool by_index = false;  ///< the block is `index`
  Dim3 index;
  bool as_written = false;  ///< compiled without optimisation: reads and writes in the order of the source
  bool small = false;       ///< at the step's small, awkward check size, as written
  int also = 0;             ///< small, but at its also_check of this number, from 1
  bool names = false;       ///< registers of optimised code get their variables' names: it is recorded twice
};

struct RunRequest {
  std::string step;  ///< id or path, resolved by the catalog
  std::string
      student_file;  ///< a file to run in the student's place (grading, wrong versions); empty: the lab's
  std::optional<std::string>
      student_source;  ///< its text, when the child can't read it; student_file then only names it
  Who who = Who::both;
  std::string device;  ///< empty: the step's default
  Size size;           ///< empty: the step's default for the kind of device
  uint64_t seed = 1;
  bool lines = false, blocks = false;
  double time_limit_s = 40;
  uint64_t max_warp_instructions = 0;  ///< a limit that is the same on every machine; 0: none
  int threads = 0;
  bool gates = true;
  /// Chooses where the gates are judged whose place leaves a choice (core/gates/place.hpp). 0: in practice,
  /// and reports may say which place it was.
  uint64_t gate_draw = 0;
  /// Gates count that the reference misses, too, where machine code is estimated (grading, audits). Otherwise
  /// they are not judged there, and a note says so.
  bool every_gate = false;
  /// The default bounds (run/verdict/default_bounds.hpp) are judged, too. The grader judges them by itself,
  /// also on hidden inputs.
  bool default_bounds = true;
  bool timing = true;  ///< false: every kernel runs once and no time is taken (for profilers)
  bool apart =
      false;  ///< every kernel alone and with empty caches, as Nsight Compute runs it (RunControl::apart)
  TraceAsk trace;
  bool program = false;  ///< `student_file` is a program of the student's own, main included; no step
  bool code =
      false;  ///< list the machine code under the file (list_code) instead of a run with verdict and times
  bool code_counts = false;  ///< with how often each instruction is executed: runs it, on the SIMT machine
};

/// Progress of a run, for bars: which run, which phase ("compile", "inputs", "run", "check"), 0..1.
struct Progress {
  std::string who, phase;
  double fraction = 0;
};

struct RunHooks {
  std::function<void(const Progress&)> progress;
  std::function<bool()> cancelled;
};

/// Runs and never throws for anything a student's file can do: the report says it. Throws Error for wrong
/// usage (unknown step, size, device). Reference reports are cached by file, model version, device, size,
/// seed under the XDG cache folder.
Report run_step(const Catalog&, const RunRequest&, const RunHooks& = {});

/// Records a block of the student's run (or of the reference's, for Who::reference) on a SIMT device. The
/// report has one run, without times; its findings are those up to the end of the block. Throws Error as
/// run_step does, and when the device can't record.
Report run_trace(const Catalog&, const RunRequest&, const RunHooks&, StepTrace& out);

/// Compiles the student's file (or the reference, for Who::reference) for the request's device and lists what
/// came of it; with `code_counts` it also runs, without times or a verdict. What does not compile has
/// diagnostics and no functions. Throws Error as run_step does.
CodeListing list_code(const Catalog&, const RunRequest&, const RunHooks& = {});

struct PlayRequest {
  std::string file;
  std::string device = "simt:h100";
  std::vector<std::string> args;
  double time_limit_s = 60;
  bool lines = false, blocks = false;
  bool timing = true;  ///< as in RunRequest
  bool apart = false;  ///< as in RunRequest
};
/// Runs a whole program; its text goes to `print` as it comes. `exit_status` gets the process status of
/// CLI.md.
Report play(const PlayRequest&, const std::function<void(std::string_view)>& print, int* exit_status,
            const RunHooks& = {});

/// Makes all device families known ("simt", "cuda", "rec"). Call once at start.
void register_devices();

}  // namespace dojo::run
