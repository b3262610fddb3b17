// `play`: a whole single-file program, main included, on a device.
#include <chrono>

#include "core/error.hpp"
#include "run/engine.hpp"
#include "run/execute.hpp"
#include "run/reference_cache.hpp"
#include "run/runner.hpp"

namespace dojo::run {

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
  int status = 0;
  auto tell = [&](const char* phase, double f) {
    if (cancelled(hooks)) throw_cancelled();
    if (hooks.progress) hooks.progress({"student", phase, f});
  };

  tell("compile", 0);
  CompileRequest compile;
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

  tell("run", 0);
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
  device->set_control(control);
  auto show = [&](std::string_view text) {
    run.printed.append(text.substr(0, (64 << 10) - std::min<size_t>(64 << 10, run.printed.size())));
    if (print) print(text);
  };
  std::unique_ptr<Program> program;
  try {
    program = engine().load(compiled, request.file, *device, control);
    program->set_printer(show);
    device->set_printer(show);
    std::vector<std::string> args{request.file};
    args.insert(args.end(), request.args.begin(), request.args.end());
    status = program->main(args);
    device->synchronize();
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
  run.time_us = device->device_time();
  run.end_to_end_us = device->end_to_end_us();
  run.launches = device->take_launches();
  for (auto& d : device->take_findings()) run.diagnostics.push_back(std::move(d));
  if (program)
    for (auto& d : program->take_findings()) run.diagnostics.push_back(std::move(d));
  if (run.status == Status::pass && has_errors(run.diagnostics)) run.status = Status::finding;
  run.wall_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started).count();
  if (exit_status) *exit_status = run.status == Status::pass ? status : dojo::exit_status(run.status);
  return report;
}

}  // namespace dojo::run
