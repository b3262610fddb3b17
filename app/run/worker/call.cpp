#include "run/worker/call.hpp"

#include "core/error.hpp"
#include "run/execute.hpp"

namespace dojo::run {
namespace {

/// Keeps what was read back; whether it is right is for the caller to say.
class KeepOutputs : public Problem {
 public:
  explicit KeepOutputs(CallOutputs& to) : to_(to) {}
  Instance make(const Step&, const Size&, uint64_t) const override { return {}; }
  CheckReport check(const Step&, const Instance&, const Outputs& outputs) const override {
    to_.buffers = outputs.buffers;
    to_.returned = outputs.returned;
    return {};
  }

 private:
  CallOutputs& to_;
};

}  // namespace

Report run_call(const CallRequest& r, const RunHooks& hooks, CallOutputs& outputs) {
  uint64_t bytes = 0;
  for (const Buffer& b : r.buffers) bytes += uint64_t(b.count()) * size_of(b.elem);
  if (bytes > most_call_bytes)
    throw Error("a call has arrays of " + std::to_string(bytes >> 20) + " MiB; at most " +
                std::to_string(most_call_bytes >> 20) + " MiB are allowed");
  auto device = open_device(r.device.empty() ? "simt:h100" : r.device);
  Step step;
  step.entry = r.name;
  const int cc = device->info().cc_major * 10 + device->info().cc_minor;
  step.arch = "compute_" + std::to_string(std::max(cc, 75));
  Instance instance;
  instance.buffers = r.buffers;
  instance.args = r.args;
  const KeepOutputs problem(outputs);
  LaunchSpec launch;
  launch.kernel = r.name;
  launch.grid = r.grid;
  launch.block = r.block;
  launch.dynamic_smem = r.dynamic_smem;
  launch.where.file = r.file;
  Job job;
  job.step = &step;
  job.problem = &problem;
  job.instance = &instance;
  job.who = "student";
  job.shown_file = r.file;
  job.source = r.source;
  job.lines = true;
  job.time_limit_s = r.time_limit_s;
  job.threads = r.threads;
  job.max_warp_instructions = r.max_warp_instructions;
  if (r.kernel) job.launch = &launch;
  Report report;
  report.step = r.file;
  report.device = report_device(device->info());
  report.runs.push_back(execute(job, *device, hooks));
  return report;
}

}  // namespace dojo::run
