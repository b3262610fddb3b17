#include "run/execute.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "core/counters.hpp"
#include "core/error.hpp"
#include "core/timeline/work_spans.hpp"
#include "run/engine.hpp"
#include "run/step/buffers.hpp"
#include "run/stored/stored_ptx.hpp"
#include "run/verdict/early_return.hpp"
#include "run/verdict/working.hpp"

namespace dojo::run {
namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t printed_kept = 64 << 10;

double ms_since(Clock::time_point t) {
  return std::chrono::duration<double, std::milli>(Clock::now() - t).count();
}

Diagnostic error(std::string kind, SourceLoc where, std::string message) {
  Diagnostic d;
  d.kind = std::move(kind);
  d.where = std::move(where);
  d.message = std::move(message);
  return d;
}

uint64_t allocation_count(Device& device) {
  const auto& regions = device.memory().regions();
  return uint64_t(std::count_if(regions.begin(), regions.end(), [](const auto& r) {
    return r->owner == Owner::device || r->owner == Owner::managed;
  }));
}

/// Names who wrote the wrong elements, where the device knows, and the buffers as the student does.
void name_writers(CheckReport& check, const Instance& instance, const std::vector<Placed>& placed,
                  Device& device) {
  for (Mismatch& m : check.mismatches)
    for (size_t i = 0; i < instance.buffers.size(); ++i) {
      const Buffer& b = instance.buffers[i];
      if (b.name != m.buffer) continue;
      Dim3 block, thread;
      if (!b.host && !b.pinned && m.index >= 0 && m.index < b.count() &&
          device.last_writer(placed[i].address + uint64_t(m.index) * size_of(b.elem), &block, &thread)) {
        m.block = block;
        m.thread = thread;
      }
      m.buffer = placed[i].name;
      break;
    }
}

/// Where two texts part, line by line: the first line that differs, with both texts of it.
std::string printed_difference(const std::string& got, const std::string& expected) {
  auto lines = [](const std::string& text) {
    std::vector<std::string> all;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      all.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return all;
  };
  const auto is = lines(got), should = lines(expected);
  auto line = [](const std::vector<std::string>& all, size_t k) {
    return k < all.size() ? "\"" + all[k] + "\"" : std::string("nothing");
  };
  if (is.empty() && !should.empty()) return "Nothing was printed. Expected: " + line(should, 0) + ".";
  for (size_t k = 0; k < std::max(is.size(), should.size()); ++k)
    if (line(is, k) != line(should, k))
      return "Line " + std::to_string(k + 1) + " of the printed text is " + line(is, k) +
             ". Expected: " + line(should, k) + ".";
  return "The printed text ends differently: check the line break after its last line.";
}

void read_and_check(const Job& job, Device& device, const std::vector<Placed>& placed, Outputs& outputs,
                    RunReport& report) {
  const Instance& instance = *job.instance;
  for (size_t i = 0; i < placed.size(); ++i) {
    const Buffer& b = instance.buffers[i];
    outputs.buffers.push_back(read_buffer(device, placed[i]));
    if (outputs.buffers.back().size() != placed[i].bytes) {
      report.diagnostics.push_back(error("host_error", {job.shown_file, 0, 0},
                                         "The lab's own buffer '" + placed[i].name +
                                             "' was freed. Free only what your function allocates."));
      continue;
    }
    if (b.role == Role::in && !job.step->mutates_input && placed[i].bytes &&
        std::memcmp(outputs.buffers.back().data(), b.data.data(),
                    std::min<uint64_t>(placed[i].bytes, b.data.size())))
      report.inputs_changed = true;
  }
  report.check = job.problem->check(*job.step, instance, outputs);
  name_writers(report.check, instance, placed, device);
  if (instance.print_checked && outputs.printed != instance.printed_expected) {
    Diagnostic d = error("printed", {job.shown_file, 0, 0},
                         printed_difference(outputs.printed, instance.printed_expected));
    d.severity = Severity::note;  // the check has failed the run already
    report.diagnostics.push_back(std::move(d));
  }
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

bool has_errors(const std::vector<Diagnostic>& all) {
  return std::any_of(all.begin(), all.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::error; });
}

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

ReportDevice report_device(const DeviceInfo& i) {
  ReportDevice d;
  d.name = i.name;
  d.kind = i.kind;
  d.title = i.title;
  d.sms = i.sms;
  d.peak_gbps = i.peak_gbps;
  d.peak_gflops = i.peak_gflops;
  d.clock_mhz = i.clock_mhz;
  d.model_version = i.model_version;
  return d;
}

void keep_timeline(RunReport& report, Device& device, bool always) {
  std::vector<WorkSpan> all = device.timeline();
  if (always || worth_showing(all)) report.timeline = std::move(all);
}

RunReport execute(const Job& job, Device& device, const RunHooks& hooks) {
  RunReport report;
  report.who = job.who;
  auto tell = [&](const char* phase, double fraction) {
    if (cancelled(hooks)) throw_cancelled();
    if (hooks.progress) hooks.progress({job.who, phase, fraction});
  };

  tell("compile", 0);
  Compiled compiled = compile_job(job, device.info());
  report.compile_ms = compiled.milliseconds;
  report.diagnostics = std::move(compiled.diagnostics);
  if (!compiled.ok) {
    const bool endless = std::any_of(report.diagnostics.begin(), report.diagnostics.end(),
                                     [](const Diagnostic& d) { return d.kind == "timeout"; });
    report.status = endless ? Status::timeout : Status::compile_error;
    if (!has_errors(report.diagnostics))
      report.diagnostics.push_back(error("compile", {job.shown_file, 0, 0}, "The file does not compile."));
    return report;
  }

  tell("run", 0);
  const auto started = Clock::now();
  RunControl control;
  control.max_seconds = job.time_limit_s;
  control.max_warp_instructions = job.max_warp_instructions;
  control.cancelled = hooks.cancelled;
  control.progress = [&](double f) {
    if (hooks.progress) hooks.progress({job.who, "run", f});
  };
  control.threads = job.threads;
  control.lines = job.lines;
  control.blocks = job.blocks;
  control.timing = !job.debug && job.timing && !job.steps;
  control.apart = job.apart;
  control.steps = job.steps;
  device.set_control(control);
  Outputs outputs;
  auto print = [&](std::string_view text) {
    outputs.printed.append(
        text.substr(0, std::min(text.size(), printed_kept - std::min(printed_kept, outputs.printed.size()))));
  };

  std::unique_ptr<Program> program;
  std::vector<Placed> placed;
  bool finished = false;
  HostWork work;
  try {
    program = engine().load(compiled, job.shown_file, device, control);
    program->set_printer(print);
    device.set_printer(print);
    placed = place(job, compiled, device);
    const uint64_t allocated = allocation_count(device);
    device.take_launches();
    device.take_findings();
    device.cold_caches();
    auto collect = [&] {
      work = program->host_work();
      report.end_to_end_us = device.end_to_end_us();
      if (device.info().kind == DeviceKind::simt) report.end_to_end_us += host_us(work);
      report.allocations = int64_t(allocation_count(device) - allocated);
    };
    try {
      const auto args = arguments(*job.instance, placed);
      if (job.launch)
        program->launch(*job.launch, args);
      else
        outputs.returned = program->call(job.step->entry, args);
      if (const CudaStatus s = device.synchronize(); !s.ok() && !has_errors(report.diagnostics))
        report.diagnostics.push_back(error("launch_error", {job.shown_file, 0, 0},
                                           std::string("The device reports ") + cuda_error_name(s.code) +
                                               " (" + cuda_error_text(s.code) + ")."));
      finished = true;
    } catch (...) {
      collect();
      throw;
    }
    collect();
  } catch (const RunStopped& stop) {
    if (cancelled(hooks)) throw_cancelled();
    report.status = worse(report.status, stop.status);
    if (stop.why.kind != "traced") report.diagnostics.push_back(stop.why);
  } catch (const Error& e) {
    if (placed.size() != job.instance->buffers.size() && program) throw;  // the size doesn't fit the device
    if (e.exit == 130) throw;
    const bool crash = e.exit == 71;  // the device or the machine gave up, not the file
    report.status = crash ? Status::crash : Status::compile_error;
    report.diagnostics.push_back(error(crash ? "crash" : "compile", {job.shown_file, 0, 0}, e.what()));
  }
  try {
    if (finished && !job.steps) {
      tell("check", 0);
      read_and_check(job, device, placed, outputs, report);
    }
    // Results are read before times are asked for: a real GPU runs the kernels again to time them.
    report.time_us = device.device_time();
    keep_timeline(report, device, job.step->picture == "streams");
    report.launches = device.take_launches();
    if (finished && device.info().kind == DeviceKind::simt)
      mark_idle(report, work, output_addresses(job, placed), device.memory());
    if (!job.opcodes) drop_opcodes(report);
    add_host_work(report, work);
  } catch (const RunStopped& stop) {
    report.status = worse(report.status, stop.status);
    report.diagnostics.push_back(stop.why);
  }
  auto add = [&](std::vector<Diagnostic> more) {
    for (auto& d : more) {
      judge_ended_threads(d, job.source);
      if (std::none_of(report.diagnostics.begin(), report.diagnostics.end(), [&](const Diagnostic& old) {
            return old.kind == d.kind && old.where == d.where && old.message == d.message;
          }))
        report.diagnostics.push_back(std::move(d));
    }
  };
  auto leaks = [](std::vector<Diagnostic> all) {
    // A whole program may leave its memory to the system; an entry that is called again and again may not.
    for (auto& d : all)
      if (d.kind == "leak") d.severity = Severity::error;
    return all;
  };
  add(device.take_findings());
  if (program && !job.steps) add(leaks(program->take_findings()));
  report.printed = std::move(outputs.printed);
  if (finished && has_errors(report.diagnostics)) report.status = worse(report.status, Status::finding);
  if (report.check.wrong > 0 || report.inputs_changed) report.status = worse(report.status, Status::wrong);
  fill_rates(report, *job.instance, device.info());
  report.wall_ms = ms_since(started);
  return report;
}

}  // namespace dojo::run
