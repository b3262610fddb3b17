#include "core/report.hpp"

namespace dojo {

const char* to_string(Status s) {
  switch (s) {
    case Status::pass:
      return "pass";
    case Status::gate_failed:
      return "gate_failed";
    case Status::wrong:
      return "wrong";
    case Status::compile_error:
      return "compile_error";
    case Status::finding:
      return "finding";
    case Status::timeout:
      return "timeout";
    case Status::crash:
      return "crash";
  }
  return "crash";
}

const char* to_string(Source s) { return s == Source::modelled ? "modelled" : "measured"; }

const char* to_string(DeviceKind k) {
  switch (k) {
    case DeviceKind::simt:
      return "simt";
    case DeviceKind::cuda:
      return "cuda";
    case DeviceKind::recording:
      return "recording";
  }
  return "simt";
}

const char* to_string(WorkSpan::Kind k) {
  switch (k) {
    case WorkSpan::Kind::host:
      return "host";
    case WorkSpan::Kind::kernel:
      return "kernel";
    case WorkSpan::Kind::up:
      return "up";
    case WorkSpan::Kind::down:
      return "down";
    case WorkSpan::Kind::inside:
      return "inside";
  }
  return "host";
}

const char* to_string(Severity s) {
  switch (s) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "error";
}

int exit_status(Status s) {
  switch (s) {
    case Status::pass:
      return 0;
    case Status::gate_failed:
    case Status::wrong:
      return 1;
    case Status::compile_error:
      return 3;
    case Status::finding:
      return 70;
    case Status::crash:
      return 71;
    case Status::timeout:
      return 124;
  }
  return 71;
}

const RunReport* run_of(const Report& report, std::string_view who) {
  for (const RunReport& run : report.runs)
    if (run.who == who) return &run;
  return nullptr;
}

const RunReport* student_run(const Report& report) { return run_of(report, "student"); }
const RunReport* reference_run(const Report& report) { return run_of(report, "reference"); }

}  // namespace dojo
