// A step seen closely: one block instruction by instruction, and the code of its file.
#include <algorithm>

#include "core/error.hpp"
#include "core/steps/step_names.hpp"
#include "run/list_code.hpp"
#include "run/own_program.hpp"
#include "run/step/step_runner.hpp"
#include "simt/device/executed.hpp"

namespace dojo::run {

Report StepRunner::traced(StepTrace& out) {
  const TraceAsk& ask = request_.trace;
  Config c;
  c.device = request_.device.starts_with("simt:") ? request_.device : step_.device;
  if (!c.device.starts_with("simt:"))
    throw Error("only the SIMT machine can run a block instruction by instruction");
  c.seed = request_.seed;
  const bool small = ask.small && !step_.check_size.empty();
  const bool also = ask.also > 0 && size_t(ask.also) <= step_.also_check.size();
  c.size = small && also ? step_.also_check[size_t(ask.also) - 1]
           : small       ? step_.check_size
                         : resolve_size(step_, step_.size, request_.size);
  auto device = open_device(c.device);
  refuse_old_device(catalog_, step_, device->info());
  Report report;
  report.step = step_.id();
  report.seed = c.seed;
  report.size = c.size;
  report.device = report_device(device->info());
  const bool reference = request_.who == Who::reference;
  fs::path file = reference                       ? catalog_.reference_file(step_)
                  : request_.student_file.empty() ? catalog_.student_file(step_)
                                                  : fs::path(request_.student_file);
  std::error_code ec;
  const bool is_ptx = reference && !fs::exists(file, ec) && fs::exists(reference_ptx(step_), ec);
  if (is_ptx) file = reference_ptx(step_);
  const std::string source = source_of(file);
  Job j = job(step_, c, reference ? "reference" : "student");
  j.shown_file = shown(file);
  j.source = source;
  j.is_ptx = is_ptx;
  j.debug = small || ask.as_written;
  j.steps = std::make_shared<StepTrace>();
  set_trace(*j.steps, ask);
  RunReport r = execute(j, *device, hooks_);
  if (!j.steps->reached && r.status == Status::pass && r.launches.empty())
    throw Error("The run launched no kernel: there is no block to show.");
  if (!j.steps->reached && r.status == Status::pass)
    throw Error("the run has no block " +
                (ask.by_index ? std::to_string(ask.index.x) + "," + std::to_string(ask.index.y) + "," +
                                    std::to_string(ask.index.z)
                              : std::to_string(ask.block)) +
                " in launch " + std::to_string(ask.launch) + (ask.kernel.empty() ? "" : " of " + ask.kernel) +
                "; it made " + std::to_string(r.launches.size()) +
                (r.launches.size() == 1 ? " launch" : " launches"));
  out = std::move(*j.steps);
  if (ask.names && !j.debug && !j.is_ptx) name_by_source(j, c, out);
  // A deadlock is found when no thread runs any more: it belongs to where the recording stands.
  for (auto& d : r.diagnostics)
    if (d.kind == FindingKind::deadlock && d.block && *d.block == out.index)
      out.notes.push_back({uint32_t(out.steps.empty() ? 0 : out.steps.size() - 1), d.where.line, 0,
                           out.executed, d.kind, d.message});
  r.launches.clear();
  report.runs.push_back(std::move(r));
  return report;
}

void StepRunner::name_by_source(Job j, const Config& c, StepTrace& out) {
  j.debug = true;
  j.time_limit_s = std::min(j.time_limit_s, naming_seconds);
  j.steps = std::make_shared<StepTrace>();
  ask_for_same(*j.steps, out);
  auto device = open_device(c.device);
  execute(j, *device, hooks_);
  name_registers(out, *j.steps);
}

CodeListing StepRunner::listed() {
  std::string name = request_.device.empty() ? step_.device : request_.device;
  if (name.starts_with("rec:")) name = step_.device;  // a recording compiles nothing
  const bool reference = request_.who == Who::reference;
  const bool given = !reference && request_.student_source.has_value();
  fs::path file = reference                       ? catalog_.reference_file(step_)
                  : request_.student_file.empty() ? catalog_.student_file(step_)
                                                  : fs::path(request_.student_file);
  std::error_code ec;
  const bool counts = request_.code_counts && name.starts_with("simt:");
  Config c;
  c.device = name;
  c.seed = request_.seed;
  c.size = counts ? resolve_size(step_, step_.size, request_.size) : step_.size;
  c.lines = true;
  Job j;
  if (counts) j = job(step_, c, "");
  j.step = &step_;
  j.who = reference ? "reference" : "student";
  j.timing = false;
  if (reference && !fs::exists(file, ec) && fs::exists(reference_ptx(step_), ec)) {
    file = reference_ptx(step_);
    j.is_ptx = true;
  }
  j.shown_file = shown(file);
  j.source = given ? *request_.student_source : source_of(file);
  if (hooks_.progress) hooks_.progress({j.who, "compile", 0});
  auto device = open_device(name);
  refuse_old_device(catalog_, step_, device->info());
  CodeListing code = list_compiled(compile_job(j, device->info()), j.shown_file, device->info());
  if (code.functions.empty() || !request_.code_counts) return code;
  const simt::ExecutedInstructions* executed = simt::executed_instructions(*device);
  if (!executed) {
    code.not_ran = "only the SIMT machine counts instructions one by one";
    return code;
  }
  const RunReport r = execute(j, *device, hooks_);
  add_counts(*executed, code);
  if (!code.ran)
    code.not_ran = r.diagnostics.empty() ? "the run launched no kernel" : r.diagnostics.front().message;
  return code;
}

}  // namespace dojo::run
