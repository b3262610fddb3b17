#pragma once
// A student's own .cu program beside the labs: a lab of one step whose entry is main. It runs as `play` does,
// so it has no inputs, no reference and no gates.
#include <filesystem>
#include <string>

#include "core/labs/lab.hpp"
#include "core/native/kernel_table.hpp"
#include "run/runner.hpp"

namespace dojo::run {

/// Whether a name is the path of a program: an existing file that ends in .cu and belongs to no lab.
bool names_program(const Catalog&, const std::string& name);
/// Adds a program as a lab named after its file, or finds it there. Throws Error when there is no such file.
const Step& open_program(Catalog&, const std::filesystem::path&);
bool is_program(const Step&);

/// What run_step, run_trace and list_code are for a step, for RunRequest::program; `student_file` is its
/// path.
Report run_program(const RunRequest&, const RunHooks&);
Report trace_program(const RunRequest&, const RunHooks&, StepTrace& out);
CodeListing list_program(const RunRequest&, const RunHooks&);

/// What a recording is asked for.
void set_trace(StepTrace&, const TraceAsk&);

/// The launches of a run by kernel, the one that takes longest first.
struct KernelRow {
  std::string kernel;
  int launches = 0;
  double time_us = 0;    ///< of all its launches
  double share = 0;      ///< of the time of all kernels, 0..1
  int in_detail = 0;     ///< launches that ran in detail; fewer than all: time and bound are estimated
  std::string bound_by;  ///< the resource that would need most of the time alone; empty: not modelled
};
std::vector<KernelRow> kernel_rows(const RunReport&);
std::vector<KernelRow> kernel_rows(const std::vector<KernelSum>&);

}  // namespace dojo::run
