#pragma once
// What a run tells: the structures behind `--json`, the window, the grader and recordings.
// Field names and meanings are those of docs/cli.md ("warpdojo/report/1").
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.hpp"

namespace dojo {

enum class Source { modelled, measured };  ///< never mixed in one figure
enum class DeviceKind { simt, cuda, recording };
enum class Status { pass, gate_failed, wrong, compile_error, finding, timeout, crash };

/// A figure with its spread. `n` is the number of samples (1 when modelled).
struct Timing {
  double value = 0, min = 0, max = 0;
  int n = 0;
  Source source = Source::modelled;
};

/// Counter values by Nsight Compute's name (see counters.hpp).
using Counters = std::map<std::string, double>;

struct LineCounters {
  std::string file;
  int line = 0;
  Counters counters;
};

/// One block on the timeline. Times in microseconds from the start of the run's first launch.
/// `waiting` are the intervals in which the block only spun on a semaphore.
struct BlockSpan {
  uint64_t block = 0;  ///< linear, x fastest
  int sm = 0;
  double start_us = 0, end_us = 0;
  std::vector<std::array<double, 2>> waiting;
};

/// How long each resource alone would need for a launch; the largest binds. Microseconds, modelled.
/// Keys: "dram", "l2", "l1", "shared", "issue", "fma", "alu", "xu", "fp64", "tensor", "latency", "launch".
using Bounds = std::map<std::string, double>;

struct LaunchReport {
  std::string kernel;  ///< demangled base name
  Dim3 grid, block;
  uint32_t dynamic_smem = 0, static_smem = 0, registers = 0;
  int stream = 0;
  double start_us = 0, time_us = 0;
  Source source = Source::modelled;
  int blocks_per_sm = 0;
  std::string occupancy_limiter;  ///< "blocks", "warps", "registers", "shared"
  double occupancy = 0;           ///< theoretical: resident warps / the SM's warp slots, 0..1
  double waves = 0;               ///< blocks / (SMs x blocks per SM)
  double wave_utilization = 0;    ///< blocks / (ceil(waves) x SMs x blocks per SM)
  double tail_idle = 0;           ///< share of SM-time with no block, first start to last end
  bool estimated = false;         ///< counts come from the PTX estimate, or miss part of the machine code
  Counters counters;
  Bounds bounds;
  std::vector<LineCounters> lines;  ///< with --lines
  std::vector<BlockSpan> blocks;    ///< with --blocks
};

/// A stretch of the run on the host's clock, microseconds from the call of the entry: a kernel, a copy over
/// the link, a fill or a copy within the device, or what the host was busy with.
struct WorkSpan {
  enum class Kind : uint8_t { host, kernel, up, down, inside };  ///< up: host to device; down: device to host
  Kind kind = Kind::kernel;
  std::string label;  ///< the kernel's name; of the host "launch", "copy", "wait", ...
  int stream = 0;
  double start_us = 0, end_us = 0;
  double bytes = 0;    ///< of a copy or fill
  bool pinned = true;  ///< of a copy over the link: its host memory
  bool graph = false;  ///< came of a cudaGraphLaunch
  int launch = -1;     ///< of a kernel: index into RunReport::launches
};

struct Mismatch {
  std::string buffer;
  int64_t index = 0;
  double got = 0, expected = 0;
  std::optional<Dim3> block, thread;  ///< who wrote it last, where the device knows
};

struct CheckReport {
  bool checked = false;  ///< the run came to its end, and its results were compared
  double max_abs = 0, max_rel = 0, tolerance = 0;
  std::string tolerance_note;        ///< where the tolerance comes from, in a sentence
  int64_t wrong = 0;                 ///< how many elements are out of tolerance
  std::vector<Mismatch> mismatches;  ///< the first few
};

struct GateReport {
  std::string name;  ///< the gate as lab.toml writes it
  double value = 0, bound = 0;
  std::string op;  ///< "==", "<=", ">=", "<", ">"
  bool pass = false;
  std::string words;             ///< why the gate is there; shown when it fails
  bool at_hidden_place = false;  ///< only a secret says at which size and on which device it was judged
};

struct RunReport {
  std::string who;  ///< "student", "reference", "library:cub"
  Status status = Status::pass;
  bool inputs_changed = false;
  bool at_hidden_place = false;  ///< the status is of a run where only a secret says which size and device
  std::vector<Diagnostic> diagnostics;
  CheckReport check;
  double compile_ms = 0, wall_ms = 0;
  Timing time_us;
  double end_to_end_us = 0;  ///< with copies and allocations, where the host code makes them
  int64_t allocations = 0;   ///< device allocations that the entry made
  Counters host;             ///< what host code did (core/host_work.hpp), where no launch carries it
  double bytes = 0, gbps = 0, dram_gbps = 0, flops = 0, gflops = 0, pct_of_peak_bandwidth = 0;
  std::string printed;  ///< what the program printed (first 64 KiB)
  std::vector<LaunchReport> launches;
  std::vector<WorkSpan> timeline;  ///< where there is anything to overlap (core/timeline/work_spans.hpp)
  std::vector<GateReport> gates;
};

/// Were its results right (whether or not it passed its gates)? Only then does its time say anything.
inline bool correct(const RunReport& r) {
  return r.status == Status::pass || r.status == Status::gate_failed;
}

struct ReportDevice {
  std::string name;  ///< "simt:h100", "cuda:0", "rec:FILE"
  DeviceKind kind = DeviceKind::simt;
  std::string title;  ///< "NVIDIA H100 80GB HBM3"
  int sms = 0;
  double peak_gbps = 0, peak_gflops = 0, clock_mhz = 0;
  std::string model_version;  ///< of the time model, when modelled
  std::string recorded_note;  ///< date, GPU, driver and commit, of a recording
};

struct Report {
  std::string step;  ///< "reduce/5-sequential"
  uint64_t seed = 1;
  Size size;
  ReportDevice device;
  std::vector<RunReport> runs;
  std::map<std::string, double> quantities;  ///< of the problem, for predictions and briefs; may be empty
};

/// The run of a side, or null: "student", "reference", or a library's name.
const RunReport* run_of(const Report&, std::string_view who);
const RunReport* student_run(const Report&);
const RunReport* reference_run(const Report&);

const char* to_string(Status);
const char* to_string(Source);
const char* to_string(DeviceKind);
const char* to_string(WorkSpan::Kind);
const char* to_string(Severity);

/// JSON text of a report; `indent` < 0 gives one line. from_json throws Error on a text that is no report.
std::string to_json(const Report&, int indent = -1);
Report report_from_json(const std::string&);

/// The exit status that CLI.md gives a run's status (0, 1, 3, 70, 71, 124).
int exit_status(Status);

}  // namespace dojo
