// `play`: a whole single-file program, main included, on a device.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <sstream>

#include "core/compile/own/own_headers.hpp"
#include "core/error.hpp"
#include "core/host_work.hpp"
#include "core/steps/step_names.hpp"
#include "run/engine.hpp"
#include "run/execute.hpp"
#include "run/list_code.hpp"
#include "run/own_program.hpp"
#include "run/reference_cache.hpp"
#include "run/runner.hpp"
#include "run/source_file.hpp"
#include "run/verdict/add_findings.hpp"
#include "run/verdict/hoisted_loads.hpp"
#include "run/verdict/leaks.hpp"
#include "simt/device/executed.hpp"

namespace dojo::run {
namespace {

/// Warp instructions up to which a program's kernels are looked at again as they are written.
constexpr double short_run = 3e6;
constexpr uint64_t short_look = 20'000'000;

struct Player {
  const PlayRequest& request;
  const RunHooks& hooks;
  CompileRequest compile;
  std::string text;  ///< of the file, without its headers

  void tell(const char* phase, double f) const {
    if (cancelled(hooks)) throw_cancelled();
    if (hooks.progress) hooks.progress({"student", phase, f});
  }

  /// Loads the program and runs main; what it does ends up in the report. Returns its exit status.
  int main_of(const Compiled& compiled, Device& device, const RunControl& control, RunReport& run,
              const std::function<void(std::string_view)>& show) const {
    int status = 0;
    std::unique_ptr<Program> program;
    device.set_control(control);
    try {
      program = engine().load(compiled, request.file, device, control);
      program->set_printer(show);
      if (const char* files = std::getenv("WARPDOJO_FILES")) program->set_files(files);
      device.set_printer(show);
      std::vector<std::string> args{request.file};
      args.insert(args.end(), request.args.begin(), request.args.end());
      status = program->main(args);
      device.synchronize();
    } catch (const RunStopped& stop) {
      if (cancelled(hooks)) throw_cancelled();
      run.status = worse(run.status, stop.status);
      add_findings(run, {stop.why}, text);
    } catch (const Error& e) {
      run.status = Status::compile_error;
      Diagnostic d;
      d.kind = FindingKind::compile;
      d.where.file = request.file;
      d.message = e.what();
      run.diagnostics.push_back(std::move(d));
    }
    add_findings(run, device.take_findings(), text);
    if (program) add_findings(run, join_leaks(program->take_findings(), Severity::warning), text);
    return status;
  }

  /// The optimiser hides what it moves, merges and drops, and may make findings of its own: a short program
  /// that shows nothing wrong, or only what may come from a moved load, runs once more as it is written,
  /// without its text and without times.
  void look_again(RunReport& run) {
    double executed = 0;
    for (const LaunchReport& l : run.launches)
      if (auto c = l.counters.find("smsp__inst_executed.sum"); c != l.counters.end()) executed += c->second;
    if (run.launches.empty() || executed > short_run) return;
    tell("check", 0);
    compile.debug = true;
    const Compiled compiled = engine().compile(compile);
    if (!compiled.ok) return;
    RunControl control;
    control.max_seconds = request.time_limit_s;
    control.max_warp_instructions = short_look;
    control.cancelled = hooks.cancelled;
    control.timing = false;
    RunReport again;
    auto device = open_device(request.device);
    main_of(compiled, *device, control, again, [](std::string_view) {});
    if (has_errors(run.diagnostics)) {
      if (again.status == Status::pass && !has_errors(again.diagnostics)) drop_errors(run.diagnostics);
      return;
    }
    for (Diagnostic& d : again.diagnostics)
      if (holds_as_written(d)) {
        d.message += " (seen in the program as written; the optimised code hides it)";
        run.diagnostics.push_back(std::move(d));
      }
  }
};

}  // namespace

bool holds_as_written(const Diagnostic& d) {
  return d.severity == Severity::error && finding_info(d.kind).as_written;
}

namespace {
/// The words of a variable of the environment, by which the command line hands on -I and -D.
std::vector<std::string> words_of(const char* variable, char separator) {
  std::vector<std::string> all;
  const char* value = std::getenv(variable);
  std::istringstream in(value ? value : "");
  for (std::string word; std::getline(in, word, separator);)
    if (!word.empty()) all.push_back(word);
  return all;
}

/// A program that was read and compiled for a device.
struct Prepared {
  std::unique_ptr<Device> device;
  CompileRequest compile;
  std::string text;
  Compiled compiled;
  Report report;
};

Prepared prepare(const PlayRequest& request, const std::optional<std::string>& given, bool as_written) {
  const std::string text = given ? *given : read_source(request.file, request.file);
  Prepared p;
  p.device = open_device(request.device);
  p.report.step = fs::path(request.file).filename().string();
  p.report.device = report_device(p.device->info());
  p.report.runs.emplace_back().who = "student";
  CompileRequest& compile = p.compile;
  p.text = text;
  compile.file = request.file;
  compile.arch = "compute_75";
  const DeviceInfo& info = p.device->info();
  if (info.cc_major >= 8)
    compile.arch = "compute_" + std::to_string(info.cc_major) + std::to_string(info.cc_minor);
  compile.program = true;
  compile.debug = as_written;
  compile.defines = words_of("WARPDOJO_DEFINES", '\n');
  if (const char* standard = std::getenv("WARPDOJO_STANDARD")) compile.standard = standard;
  auto folders = words_of("WARPDOJO_INCLUDE", ':');
  // One name per header: what the file finds beside itself by a relative path, -I of a full path finds too.
  if (fs::path(request.file).is_relative())
    for (std::string& f : folders) {
      const fs::path near = fs::path(f).lexically_proximate(fs::current_path());
      if (fs::path(f).is_absolute() && !near.empty() && *near.begin() != "..") f = near.string();
    }
  Bundle bundle{text, own_headers(request.file, text, folders), folders, {}};
  for (const std::string& file : words_of("WARPDOJO_UNITS", '\n')) {
    const std::string more = read_source(file, file);
    bundle.units.push_back({file, pack({more, own_headers(file, more, folders), folders, {}})});
  }
  compile.source = pack(bundle);
  p.compiled = engine().compile(compile);
  RunReport& run = p.report.runs.front();
  run.compile_ms = p.compiled.milliseconds;
  run.diagnostics = p.compiled.diagnostics;
  if (!p.compiled.ok) run.status = Status::compile_error;
  return p;
}
}  // namespace

Report play(const PlayRequest& request, const std::function<void(std::string_view)>& print, int* exit_status,
            const RunHooks& hooks) {
  Player player{request, hooks, {}, {}};
  player.tell("compile", 0);
  Prepared p = prepare(request, std::nullopt, false);
  player.compile = p.compile;
  player.text = p.text;
  Report& report = p.report;
  RunReport& run = report.runs.front();
  auto& device = p.device;
  const Compiled& compiled = p.compiled;
  if (!compiled.ok) {
    if (exit_status) *exit_status = dojo::exit_status(run.status);
    return report;
  }

  player.tell("run", 0);
  const auto started = std::chrono::steady_clock::now();
  RunControl control;
  control.max_seconds = request.time_limit_s;
  control.cancelled = hooks.cancelled;
  control.progress = [&](double f) {
    if (hooks.progress) hooks.progress({"student", "run", f});
  };
  control.lines = request.lines;
  control.blocks = request.blocks;
  control.timing = request.timing;
  control.apart = request.apart;
  auto show = [&](std::string_view text) {
    append_printed(run.printed, text);
    if (print) print(text);
  };
  const int status = player.main_of(compiled, *device, control, run, show);
  run.time_us = device->device_time();
  run.end_to_end_us = device->end_to_end_us();
  keep_timeline(run, *device);
  run.launches = device->take_launches();
  drop_opcodes(run);
  run.wall_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started).count();
  if (run.status == Status::pass && report.device.kind == DeviceKind::simt &&
      (!has_errors(run.diagnostics) || may_be_hoisted(run.diagnostics)))
    player.look_again(run);
  if (run.status == Status::pass && has_errors(run.diagnostics)) run.status = Status::finding;
  if (exit_status) *exit_status = run.status == Status::pass ? status : dojo::exit_status(run.status);
  return report;
}

namespace {
PlayRequest play_request(const RunRequest& r) {
  PlayRequest p;
  p.file = r.student_file;
  if (!r.device.empty()) p.device = r.device;
  p.time_limit_s = r.time_limit_s;
  p.lines = r.lines, p.blocks = r.blocks, p.timing = r.timing, p.apart = r.apart;
  return p;
}
}  // namespace

Report run_program(const RunRequest& r, const RunHooks& hooks) {
  Report report = play(play_request(r), nullptr, nullptr, hooks);
  report.step = r.step;
  return report;
}

Report trace_program(const RunRequest& r, const RunHooks& hooks, StepTrace& out) {
  const PlayRequest request = play_request(r);
  if (!request.device.starts_with("simt:"))
    throw Error("only the SIMT machine can run a block instruction by instruction");
  Player player{request, hooks, {}, {}};
  player.tell("compile", 0);
  Prepared p = prepare(request, std::nullopt, r.trace.as_written);
  RunReport& run = p.report.runs.front();
  p.report.step = r.step;
  if (!p.compiled.ok) return p.report;
  auto steps = std::make_shared<StepTrace>();
  set_trace(*steps, r.trace);
  RunControl control;
  control.max_seconds = request.time_limit_s;
  control.cancelled = hooks.cancelled;
  control.timing = false;
  control.steps = steps;
  player.tell("run", 0);
  player.main_of(p.compiled, *p.device, control, run,
                 [&](std::string_view text) { append_printed(run.printed, text); });
  if (!steps->reached && run.status == Status::pass)
    throw Error("the program launched no such block; it made " +
                std::to_string(p.device->take_launches().size()) + " launches");
  if (r.trace.names && !r.trace.as_written) {
    Prepared again = prepare(request, std::nullopt, true);
    control.steps = std::make_shared<StepTrace>();
    control.max_seconds = std::min(control.max_seconds, naming_seconds);
    ask_for_same(*control.steps, *steps);
    RunReport not_shown;
    if (again.compiled.ok)
      player.main_of(again.compiled, *again.device, control, not_shown, [](std::string_view) {});
    name_registers(*steps, *control.steps);
  }
  out = std::move(*steps);
  return p.report;
}

CodeListing list_program(const RunRequest& r, const RunHooks& hooks) {
  const PlayRequest request = play_request(r);
  Player player{request, hooks, {}, {}};
  player.tell("compile", 0);
  Prepared p = prepare(request, r.student_source, false);
  CodeListing code = list_compiled(p.compiled, request.file, p.device->info());
  if (code.functions.empty() || !r.code_counts) return code;
  const simt::ExecutedInstructions* executed = simt::executed_instructions(*p.device);
  if (!executed) {
    code.not_ran = "only the SIMT machine counts instructions one by one";
    return code;
  }
  RunControl control;
  control.max_seconds = request.time_limit_s;
  control.cancelled = hooks.cancelled;
  control.timing = false;
  control.lines = true;
  RunReport& run = p.report.runs.front();
  player.main_of(p.compiled, *p.device, control, run, [](std::string_view) {});
  add_counts(*executed, code);
  if (!code.ran)
    code.not_ran = run.diagnostics.empty() ? "the run launched no kernel" : run.diagnostics.front().message;
  return code;
}

}  // namespace dojo::run
