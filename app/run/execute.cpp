#include "run/execute.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "core/counters.hpp"
#include "core/error.hpp"
#include "core/timeline/work_spans.hpp"
#include "run/engine.hpp"
#include "run/step/buffers.hpp"
#include "run/step/results.hpp"
#include "run/step/second_call.hpp"
#include "run/stored/stored_ptx.hpp"
#include "run/verdict/add_findings.hpp"
#include "run/verdict/causes.hpp"
#include "run/verdict/leaks.hpp"
#include "run/verdict/undefined_lanes.hpp"
#include "run/verdict/working.hpp"

namespace dojo::run {
namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point t) {
  return std::chrono::duration<double, std::milli>(Clock::now() - t).count();
}

uint64_t allocation_count(Device& device) {
  const auto& regions = device.memory().regions();
  return uint64_t(std::count_if(regions.begin(), regions.end(), [](const auto& r) {
    return r->owner == Owner::device || r->owner == Owner::managed;
  }));
}

/// Time of host code itself, beside what the device charges for copies, launches and waits: three
/// instructions per nanosecond, as host::Runtime's clock has it, and 50 ns per call of the runtime.
double host_us(const HostWork& h) { return double(h.instructions) / 3000 + 0.05 * double(h.api_calls()); }

/// Where the buffers are whose content is checked after the run.
std::vector<uint64_t> output_addresses(const Job& job, const std::vector<Placed>& placed) {
  std::vector<uint64_t> all;
  for (size_t i = 0; i < placed.size(); ++i)
    if (job.instance->buffers[i].role != Role::in || job.step->mutates_input)
      all.push_back(placed[i].address);
  return all;
}

/// The architecture to compile for.
std::string arch_for(const Step& step, const DeviceInfo& device) {
  const std::string own = "compute_" + std::to_string(device.cc_major) + std::to_string(device.cc_minor);
  const bool same = step.gpu_arch == own || step.gpu_arch == own + "a";
  return device.kind == DeviceKind::cuda && same ? step.gpu_arch : step.arch;
}

}  // namespace

Compiled compile_job(const Job& job, const DeviceInfo& device) {
  if (job.is_ptx) return from_stored_ptx(job.source);
  CompileRequest request;
  request.file = job.shown_file;
  request.source = job.source;
  request.arch = arch_for(*job.step, device);
  request.debug = job.debug;
  return engine().compile(request);
}

Engine& engine() {
  static Engine e;
  return e;
}

void throw_cancelled() { throw Error("the run was cancelled", 130); }

Status worse(Status a, Status b) {
  auto rank = [](Status s) {
    switch (s) {
      case Status::compile_error:
        return 6;
      case Status::crash:
        return 5;
      case Status::timeout:
        return 4;
      case Status::finding:
        return 3;
      case Status::wrong:
        return 2;
      case Status::gate_failed:
        return 1;
      case Status::pass:
        return 0;
    }
    return 0;
  };
  return rank(a) >= rank(b) ? a : b;
}

void fill_rates(RunReport& r, const Instance& instance, const DeviceInfo& device) {
  r.bytes = instance.ideal_bytes;
  r.flops = instance.flops;
  if (r.time_us.value <= 0) return;
  r.gbps = r.bytes / r.time_us.value * 1e-3;  // bytes / µs = MB/s
  r.gflops = r.flops / r.time_us.value * 1e-3;
  r.dram_gbps = total(r, "dram_bytes") / r.time_us.value * 1e-3;
  if (device.peak_gbps > 0) r.pct_of_peak_bandwidth = 100 * r.gbps / device.peak_gbps;
}

void keep_timeline(RunReport& report, Device& device, bool always) {
  std::vector<WorkSpan> all = device.timeline();
  if (always || worth_showing(all)) report.timeline = std::move(all);
}

namespace {

/// The steps of `execute`, in the order of its calls.
class Execution {
 public:
  Execution(const Job& job, Device& device, const RunHooks& hooks)
      : job_(job), device_(device), hooks_(hooks) {
    report_.who = job.who;
  }
  /// Empty: the file does not compile, and the report says why.
  std::optional<Compiled> compile();
  const RunReport& report() const { return report_; }
  /// Places the buffers and calls the entry. What stops it is in the report.
  void run(const Compiled&);
  void check_and_time();
  RunReport ended();

 private:
  void tell(const char* phase);
  RunControl control() const;
  void call(const Compiled&);
  void call_entry(const Instance&);
  void add_stop(const RunStopped&);
  void add_failure(const Error&);
  /// The further calls of a job that asks for them (step/second_call.hpp), when nothing is wrong with the
  /// first and it changed variables.
  void call_again();
  /// A call on the job's inputs, which are in placed_. Is its result right, without a finding?
  bool is_right_again(const Job&);
  void print(std::string_view);
  /// An error of the file as a whole.
  void add_error(FindingKind kind, std::string message) {
    report_.diagnostics.push_back(
        {.kind = kind, .where = {job_.shown_file, 0, 0}, .message = std::move(message)});
  }

  const Job& job_;
  const Compiled* compiled_ = nullptr;  ///< of the run
  Device& device_;
  const RunHooks& hooks_;
  RunReport report_;
  Outputs outputs_;
  std::unique_ptr<Program> program_;
  std::vector<Placed> placed_;
  std::optional<KeptVariables> variables_;  ///< before the first call of two
  HostWork work_;
  bool finished_ = false;  ///< the entry returned
};

void Execution::tell(const char* phase) {
  if (cancelled(hooks_)) throw_cancelled();
  if (hooks_.progress) hooks_.progress({job_.who, phase, 0});
}

std::optional<Compiled> Execution::compile() {
  tell("compile");
  Compiled compiled = compile_job(job_, device_.info());
  report_.compile_ms = compiled.milliseconds;
  report_.diagnostics = std::move(compiled.diagnostics);
  if (compiled.ok) return compiled;
  const bool endless = std::any_of(report_.diagnostics.begin(), report_.diagnostics.end(),
                                   [](const Diagnostic& d) { return d.kind == FindingKind::timeout; });
  report_.status = endless ? Status::timeout : Status::compile_error;
  if (!has_errors(report_.diagnostics)) add_error(FindingKind::compile, "The file does not compile.");
  return std::nullopt;
}

RunControl Execution::control() const {
  RunControl c;
  c.max_seconds = job_.time_limit_s;
  c.max_warp_instructions = job_.max_warp_instructions;
  c.cancelled = hooks_.cancelled;
  c.progress = [this](double f) {
    if (hooks_.progress) hooks_.progress({job_.who, "run", f});
  };
  c.threads = job_.threads;
  c.lines = job_.lines;
  c.blocks = job_.blocks;
  c.exchanges = job_.exchanges;
  c.timing = !job_.debug && job_.timing && !job_.steps;
  c.as_written = job_.debug;
  c.apart = job_.apart;
  c.undefined = undefined_lane_value(job_.debug);
  c.steps = job_.steps;
  return c;
}

void Execution::print(std::string_view text) { append_printed(outputs_.printed, text); }

void Execution::run(const Compiled& compiled) {
  tell("run");
  try {
    call(compiled);
  } catch (const RunStopped& stop) {
    add_stop(stop);
  } catch (const Error& e) {
    if (placed_.size() != job_.instance->buffers.size() && program_)
      throw;  // the size doesn't fit the device
    add_failure(e);
  }
}

void Execution::add_stop(const RunStopped& stop) {
  if (cancelled(hooks_)) throw_cancelled();
  report_.status = worse(report_.status, stop.status);
  if (stop.why.kind != FindingKind::traced) add_findings(report_, {stop.why}, job_.source);
}

void Execution::add_failure(const Error& e) {
  if (e.exit == 130) throw;
  const bool crash = e.exit == 71;  // the device or the machine gave up, not the file
  report_.status = crash ? Status::crash : Status::compile_error;
  add_error(crash ? FindingKind::crash : FindingKind::compile, e.what());
}

void Execution::call(const Compiled& compiled) {
  compiled_ = &compiled;
  const RunControl asked = control();
  device_.set_control(asked);
  program_ = engine().load(compiled, job_.shown_file, device_, asked);
  const auto printer = [this](std::string_view text) { print(text); };
  program_->set_printer(printer);
  device_.set_printer(printer);
  placed_ = place(job_, compiled, device_);
  const uint64_t allocated = allocation_count(device_);
  // What loading and placing did is not the file's.
  device_.take_launches();
  device_.take_findings();
  device_.cold_caches();
  if (job_.twice) variables_.emplace(device_.memory());
  const auto count_host_work = [&] {
    work_ = program_->host_work();
    report_.end_to_end_us = device_.end_to_end_us();
    if (device_.info().kind == DeviceKind::simt) report_.end_to_end_us += host_us(work_);
    report_.allocations = int64_t(allocation_count(device_) - allocated);
  };
  try {
    call_entry(*job_.instance);
  } catch (...) {
    count_host_work();
    throw;
  }
  count_host_work();
}

void Execution::call_entry(const Instance& instance) {
  const auto args = arguments(instance, placed_);
  if (job_.launch)
    program_->launch(*job_.launch, args);
  else
    outputs_.returned = program_->call(job_.step->entry, args);
  for (const uint64_t address : output_addresses(job_, placed_)) program_->note_result(address);
  if (const CudaStatus s = device_.synchronize(); !s.ok() && !has_errors(report_.diagnostics))
    add_error(FindingKind::launch_error, std::string("The device reports ") + cuda_error_name(s.code) + " (" +
                                             cuda_error_text(s.code) + ").");
  finished_ = true;
}

void Execution::check_and_time() {
  try {
    if (finished_ && !job_.steps) {
      tell("check");
      read_and_check(job_, device_, placed_, outputs_, report_);
    }
    // Results are read before times are asked for: a real GPU runs the kernels again to time them.
    report_.time_us = device_.device_time();
    keep_timeline(report_, device_, job_.step->picture == "streams");
    report_.launches = device_.take_launches();
    if (finished_ && device_.info().kind == DeviceKind::simt)
      mark_idle(report_, work_, output_addresses(job_, placed_), device_.memory());
    if (!job_.opcodes) drop_opcodes(report_);
    add_host_work(report_, work_);
    call_again();
  } catch (const RunStopped& stop) {
    report_.status = worse(report_.status, stop.status);
    report_.diagnostics.push_back(stop.why);
  }
}

void Execution::call_again() {
  if (!job_.twice || !finished_ || report_.check.wrong > 0 || report_.inputs_changed) return;
  add_findings(report_, device_.take_findings(), job_.source);
  if (has_errors(report_.diagnostics)) return;
  const std::vector<std::string> changed = variables_->changed(device_.memory());
  if (changed.empty()) return;
  std::optional<Instance> others;
  Job second = job_;
  try {
    if (job_.other_inputs) second.instance = &others.emplace(job_.other_inputs());
    placed_ = place(second, *compiled_, device_);
  } catch (const Error& e) {
    if (e.exit == 130 || e.exit == 71) throw;
    return;  // no room for other arrays of this size
  } catch (const std::bad_alloc&) {
    return;
  }
  RunControl untimed = control();
  untimed.timing = false;
  device_.set_control(untimed);
  std::string printed = std::exchange(outputs_, {}).printed;
  const size_t known = report_.diagnostics.size();
  const CheckReport first = report_.check;
  const bool right = is_right_again(second) && (!refill(job_, placed_, device_) || is_right_again(job_));
  outputs_.printed = std::move(printed);
  for (size_t i = known; i < report_.diagnostics.size(); ++i) name_second_call(report_.diagnostics[i], job_);
  if (!right && (report_.check.wrong > 0 || report_.inputs_changed))
    report_.diagnostics.push_back(second_call_wrong(job_, changed));
  else
    report_.check = first;
}

bool Execution::is_right_again(const Job& job) {
  outputs_ = {};
  try {
    call_entry(*job.instance);
    read_and_check(job, device_, placed_, outputs_, report_);
  } catch (const RunStopped& stop) {
    add_stop(stop);
  } catch (const Error& e) {
    add_failure(e);
  }
  add_findings(report_, device_.take_findings(), job_.source);
  return report_.check.wrong == 0 && !report_.inputs_changed && !has_errors(report_.diagnostics);
}

RunReport Execution::ended() {
  add_findings(report_, device_.take_findings(), job_.source);
  if (program_ && !job_.steps)
    add_findings(report_, join_leaks(program_->take_findings(), Severity::error), job_.source);
  judge_undefined_lanes(report_.diagnostics, !finished_ || report_.check.wrong > 0 || report_.inputs_changed);
  put_causes_first(report_.diagnostics);
  if (finished_ && !job_.steps) note_missing_launch(report_, job_.step->entry, job_.shown_file, job_.source);
  report_.printed = std::move(outputs_.printed);
  if (finished_ && has_errors(report_.diagnostics)) report_.status = worse(report_.status, Status::finding);
  if (report_.check.wrong > 0 || report_.inputs_changed)
    report_.status = worse(report_.status, Status::wrong);
  fill_rates(report_, *job_.instance, device_.info());
  return std::move(report_);
}

}  // namespace

RunReport execute(const Job& job, Device& device, const RunHooks& hooks) {
  Execution e(job, device, hooks);
  const std::optional<Compiled> compiled = e.compile();
  if (!compiled) return e.report();
  const auto started = Clock::now();
  e.run(*compiled);
  e.check_and_time();
  RunReport report = e.ended();
  report.wall_ms = ms_since(started);
  return report;
}

}  // namespace dojo::run
