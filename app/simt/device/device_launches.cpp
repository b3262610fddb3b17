// Launches that kernels make. They run after the launch that made them, in the order of the calls; what a
// launch makes in its turn runs before the next of its own level. A kernel can't wait for what it launches,
// so that is one of the orders that CUDA allows.
#include <algorithm>
#include <utility>

#include "simt/device/device_simt.hpp"

namespace dojo::simt {
namespace {

/// Launches nest no deeper than this: CUDA C++ Programming Guide, dynamic parallelism.
constexpr int deepest = 24;

void functions_in(const ptx::Operand& o, std::vector<std::string>& out) {
  if (!o.name.empty()) out.push_back(o.name);
  for (const ptx::Operand& i : o.items) functions_in(i, out);
}

}  // namespace

bool SimtDevice::launches_others(const ptx::Function& kernel) {
  const auto [known, fresh] = launching_.try_emplace(&kernel, false);
  if (!fresh) return known->second;
  std::set<std::string> seen;
  std::vector<std::string> todo{kernel.name};
  while (!todo.empty() && !known->second) {
    const std::string name = std::move(todo.back());
    todo.pop_back();
    if (!seen.insert(name).second) continue;
    known->second = name.starts_with("__cudaCDP2");
    const auto f = module_->function_by_name.find(name);
    // A kernel's name is only the argument of a launch.
    if (f == module_->function_by_name.end() || (module_->functions[f->second].kernel && name != kernel.name))
      continue;
    for (const ptx::Instruction& i : module_->functions[f->second].code)
      for (const ptx::Operand& o : i.operands) functions_in(o, todo);
  }
  return known->second;
}

void SimtDevice::run_asked() {
  std::vector<DeviceWork> asked = std::exchange(asked_, {});
  std::stable_partition(asked.begin(), asked.end(), [](const DeviceWork& w) { return !w.tail; });
  struct Deeper {
    int& depth;
    explicit Deeper(int& d) : depth(d) { ++depth; }
    ~Deeper() { --depth; }
  } deeper(depth_);
  for (DeviceWork& w : asked) {
    if (w.function == DeviceLaunches::copy) {
      copy_box(CopyBox::line(w.to, w.from, w.bytes), 0, false);
      continue;
    }
    memory_.release(w.buffer, w.where);
    LaunchSpec spec;
    spec.kernel = module_->functions[w.function].name;
    spec.grid = w.grid, spec.block = w.block;
    spec.dynamic_smem = w.dynamic_smem;
    spec.params = std::move(w.params);
    spec.where = w.where;
    const CudaStatus s = depth_ > deepest ? CudaStatus{cuda_error::invalid_configuration} : launch(spec);
    flush();
    if (s.ok()) continue;
    Diagnostic d;
    d.kind = FindingKind::launch_error;
    d.where = w.where;
    d.message = "This launch of " + module_->functions[w.function].demangled + " in a kernel failed: " +
                (depth_ > deepest ? "it is nested deeper than " + std::to_string(deepest) + " launches"
                                  : cuda_error_text(s.code)) +
                ".";
    findings_.push_back(std::move(d));
  }
}

}  // namespace dojo::simt
