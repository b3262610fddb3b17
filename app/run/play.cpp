// `play`: a whole single-file program, main included, on a device.
#include <algorithm>
#include <chrono>

#include "core/error.hpp"
#include "core/host_work.hpp"
#include "run/engine.hpp"
#include "run/execute.hpp"
#include "run/reference_cache.hpp"
#include "run/runner.hpp"
#include "run/verdict/early_return.hpp"

namespace dojo::run {
namespace {

/// Warp instructions up to which a program's kernels are looked at again as they are written.
constexpr double short_run = 3e6;
constexpr uint64_t short_look = 20'000'000;

struct Player {
  const PlayRequest& request;
  const RunHooks& hooks;
  CompileRequest compile;

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
      device.set_printer(show);
      std::vector<std::string> args{request.file};
      args.insert(args.end(), request.args.begin(), request.args.end());
      status = program->main(args);
      device.synchronize();
    } catch (const RunStopped& stop) {
      if (cancelled(hooks)) throw_cancelled();
      run.status = worse(run.status, stop.status);
      run.diagnostics.push_back(stop.why);
    } catch (const Error& e) {
      run.status = Status::compile_error;
      Diagnostic d;
      d.kind = "compile";
      d.where.file = request.file;
      d.message = e.what();
      run.diagnostics.push_back(std::move(d));
    }
    auto add = [&](std::vector<Diagnostic> more) {
      for (auto& d : more) {
        judge_ended_threads(d, compile.source);
        if (std::none_of(run.diagnostics.begin(), run.diagnostics.end(), [&](const Diagnostic& old) {
              return old.kind == d.kind && old.where == d.where && old.message == d.message;
            }))
          run.diagnostics.push_back(std::move(d));
      }
    };
    add(device.take_findings());
    if (program) add(program->take_findings());
    return status;
  }

  /// The optimiser hides what it moves, merges and drops: a short program that shows nothing wrong runs once
  /// more as it is written, without its text and without times.
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
    for (Diagnostic& d : again.diagnostics)
      if (holds_as_written(d)) {
        d.message += " (seen in the program as written; the optimised code hides it)";
        run.diagnostics.push_back(std::move(d));
      }
  }
};

}  // namespace

bool holds_as_written(const Diagnostic& d) {
  static const char* const kinds[] = {"out_of_bounds", "use_after_free", "misaligned",
                                      "uninitialized", "race",           "barrier_divergence",
                                      "absent_lane",   "wrong_space",    "const_write"};
  return d.severity == Severity::error &&
         std::find(std::begin(kinds), std::end(kinds), d.kind) != std::end(kinds);
}

Report play(const PlayRequest& request, const std::function<void(std::string_view)>& print, int* exit_status,
            const RunHooks& hooks) {
  std::error_code ec;
  if (!fs::exists(request.file, ec)) throw Error("there is no file " + request.file);
  if (!fs::is_regular_file(request.file, ec)) throw Error(request.file + " is not a file");
  if (fs::file_size(request.file, ec) > (4 << 20)) throw Error(request.file + " is larger than 4 MiB");
  const auto source = read_file(request.file);
  if (!source) throw Error("cannot read " + request.file);
  auto device = open_device(request.device);

  Report report;
  report.step = fs::path(request.file).filename().string();
  report.device = report_device(device->info());
  RunReport& run = report.runs.emplace_back();
  run.who = "student";

  Player player{request, hooks, {}};
  player.tell("compile", 0);
  CompileRequest& compile = player.compile;
  compile.file = request.file;
  compile.source = *source;
  compile.arch = "compute_75";
  if (device->info().cc_major >= 8)
    compile.arch =
        "compute_" + std::to_string(device->info().cc_major) + std::to_string(device->info().cc_minor);
  compile.program = true;
  Compiled compiled = engine().compile(compile);
  run.compile_ms = compiled.milliseconds;
  run.diagnostics = std::move(compiled.diagnostics);
  if (!compiled.ok) {
    run.status = Status::compile_error;
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
    run.printed.append(text.substr(0, (64 << 10) - std::min<size_t>(64 << 10, run.printed.size())));
    if (print) print(text);
  };
  const int status = player.main_of(compiled, *device, control, run, show);
  run.time_us = device->device_time();
  run.end_to_end_us = device->end_to_end_us();
  run.launches = device->take_launches();
  drop_opcodes(run);
  run.wall_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started).count();
  if (run.status == Status::pass && !has_errors(run.diagnostics) && report.device.kind == DeviceKind::simt)
    player.look_again(run);
  if (run.status == Status::pass && has_errors(run.diagnostics)) run.status = Status::finding;
  if (exit_status) *exit_status = run.status == Status::pass ? status : dojo::exit_status(run.status);
  return report;
}

}  // namespace dojo::run
