#pragma once
// Hand-off to NVIDIA's own tools: a step or a program under Nsight Compute, with its counters read back into
// the same report, or under Compute Sanitizer. And the recordings of such counters.
#include <string>
#include <vector>

#include "core/labs/lab.hpp"
#include "core/report.hpp"

namespace dojo::run {

/// What to run: a step's file, or a whole program.
struct ProfileTarget {
  std::string name;               ///< "reduce/5", or the path of a .cu file
  std::string who = "reference";  ///< of a step: "student" or "reference"
  std::string device = "cuda:0", size;
};

/// One kernel as Nsight Compute's raw page lists it.
struct ProfiledKernel {
  std::string kernel;  ///< base name
  Dim3 grid, block;
  Counters counters;  ///< by the metric's name, in base units
};

/// Reads `ncu --csv --page raw --print-units base`. Lines before the table ("==PROF== ...") are skipped.
/// Throws Error when there is no table; the message repeats what ncu said.
std::vector<ProfiledKernel> parse_ncu_csv(const std::string& text);

/// Runs the target on its GPU, each kernel once, under ncu (with the clocks left alone), and puts the metrics
/// of docs/cli.md into the launches of the report. Several kernels that must run at the same time can't be
/// profiled this way: ncu runs one after the other. Throws Error when ncu is not installed or fails.
Report profile(const ProfileTarget&);

/// What one tool of Compute Sanitizer said.
struct SanitizerResult {
  std::string tool, text;
  int errors = 0;  ///< of "ERROR SUMMARY"; -1 when the tool didn't get there
};
/// Throws Error when compute-sanitizer is not installed.
SanitizerResult sanitize(const ProfileTarget&, const std::string& tool);

/// The program's path: $NAME (upper case, - as _), then PATH, then where the toolkit puts it. Throws Error.
fs::path find_tool(const std::string& name);

/// Counters of one launch on a real GPU.
struct CountedLaunch {
  std::string target, who;  ///< as in ProfileTarget; a program's path is relative to the checkout
  Size size;
  int launch = 0;  ///< number within the run
  ProfiledKernel kernel;
};
struct CounterRecording {
  std::string date, gpu, driver, commit;
  std::vector<CountedLaunch> launches;
};
/// Throw Error naming the file.
CounterRecording load_counters(const fs::path&);
void save_counters(const fs::path&, const CounterRecording&);

}  // namespace dojo::run
