// exec: a compiled program, its host part natively. What it prints is its own; ours goes to standard error.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cli/cli.hpp"
#include "cli/show.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "run/own_program.hpp"

namespace dojo::cli {
namespace {

/// The processes of a run as one report.
NativeRunResult joined(std::vector<NativeRunResult> results) {
  NativeRunResult all = std::move(results.front());
  RunReport& run = all.report.runs[0];
  for (size_t i = 1; i < results.size(); ++i) {
    NativeRunResult& r = results[i];
    RunReport& more = r.report.runs.at(0);
    run.diagnostics.insert(run.diagnostics.end(), more.diagnostics.begin(), more.diagnostics.end());
    run.launches.insert(run.launches.end(), more.launches.begin(), more.launches.end());
    all.kernels.insert(all.kernels.end(), r.kernels.begin(), r.kernels.end());
    all.launches += r.launches;
    all.in_part += r.in_part;
    all.repeats += r.repeats;
    all.passed_over += r.passed_over;
    run.time_us.value += more.time_us.value;
    if (more.status != Status::pass) run.status = more.status;
  }
  return all;
}

/// The report, and the sums of each kernel where the report doesn't hold its launches.
std::string json_text(const NativeRunResult& r) {
  auto j = nlohmann::ordered_json::parse(to_json(r.report, -1));
  if (std::any_of(r.kernels.begin(), r.kernels.end(), [](const KernelSum& k) { return k.estimated(); })) {
    auto& kernels = j["kernels"] = nlohmann::ordered_json::array();
    for (const KernelSum& k : r.kernels)
      kernels.push_back({{"kernel", k.kernel},
                         {"launches", k.launches},
                         {"in_detail", k.in_detail},
                         {"estimated", k.estimated()},
                         {"time_us", k.time_us},
                         {"bounds", k.bounds},
                         {"counters", k.counters}});
  }
  return j.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

void print_result(const NativeRunResult& r) {
  const RunReport& run = r.report.runs.at(0);
  for (const Diagnostic& d : run.diagnostics) {
    if (d.kind == FindingKind::unsupported && d.severity == Severity::note)
      continue;  // said when it was called
    const std::string text = show_diagnostic(d, std::filesystem::current_path().string());
    std::fwrite(text.data(), 1, text.size(), stderr);
  }
  fmt::print(stderr, "{}", show_kernels(run::kernel_rows(r.kernels), Source::modelled, r.report.device));
  int64_t in_detail = 0;
  for (const KernelSum& k : r.kernels) in_detail += k.in_detail;
  if (in_detail < r.launches)
    fmt::print(
        stderr,
        "~: estimated. {} of {} launches ran in detail{}{}; of the others results only are taken, and "
        "are exact. In those only out-of-bounds accesses were looked for.{}\n",
        in_detail, r.launches,
        r.in_part ? fmt::format(", and of {} the blocks that --sample-blocks asks for", r.in_part) : "",
        in_detail + r.in_part < r.launches ? " (--sample)" : "",
        r.repeats
            ? fmt::format(" {} repeated an earlier launch on unchanged memory and did not run.", r.repeats)
            : "");
  if (r.launches || r.passed_over)
    fmt::print(stderr, "{} launch{} on {}{}\n", r.launches, r.launches == 1 ? "" : "es", r.report.device.name,
               r.passed_over ? fmt::format(", {} passed over without checks and times", r.passed_over) : "");
}

const char* why_no_report(const run::ExecEnded& ended) {
  if (ended.begun)
    return ended.signal
               ? "it left no report: it had no time to write one"
               : "it left no report: it made CUDA calls and then ended by _exit(), or became another "
                 "program. Findings and times are written when main returns or exit() is called";
  return ended.signal
             ? "it left no report: it had made no call of libcudart.so.13"
             : "the program made no call of libcudart.so.13. If it uses CUDA, link it with nvcc -cudart "
               "shared (CUDA 13)";
}

}  // namespace

int cmd_exec(const ExecOptions& o) {
  const std::vector<std::string>& command = o.request.command;
  if (command.empty()) throw Error("name the program to run: warpdojo exec [OPTIONS] PROGRAM [ARGS]");
  if (!o.request.options.device.starts_with("simt:"))
    throw Error("exec runs on the SIMT machine only, not on " + o.request.options.device +
                ": on a GPU run the program itself");
  run::register_devices();
  if (!o.request.build.empty())
    if (const int status = run::exec_build(o.request); status != 0) {
      fmt::print(stderr, "warpdojo: the build ended with status {}\n", status);
      return 3;
    }
  fmt::print(stderr, "warpdojo: {}: its host part runs natively {}; kernels run on {}\n", command[0],
             o.request.sandbox ? "in a sandbox" : "with your rights", o.request.options.device);
  const run::ExecEnded ended = run::exec_program(o.request);
  std::fflush(stdout);
  if (ended.signal) fmt::print(stderr, "warpdojo: the program was ended by signal {}\n", ended.signal);
  if (ended.results.empty()) {
    fmt::print(stderr, "warpdojo: {}\n", why_no_report(ended));
    return ended.exit_status;
  }
  const NativeRunResult result = joined(ended.results);
  print_result(result);
  if (!o.json.empty())
    if (const std::string why = replace_file(o.json, json_text(result) + "\n"); !why.empty())
      throw Error(why);
  return result.report.runs[0].status != Status::pass && o.error_exitcode >= 0 ? o.error_exitcode
                                                                               : ended.exit_status;
}

}  // namespace dojo::cli
