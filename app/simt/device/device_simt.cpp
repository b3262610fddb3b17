#include "simt/device/device_simt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/error.hpp"
#include "ptx/estimate/live_registers.hpp"
#include "ptx/sass.hpp"
#include "simt/gpu/occupancy.hpp"
#include "simt/launch_cluster.hpp"

namespace dojo::simt {

SimtDevice::SimtDevice(const DeviceModel& m)
    : model_(m),
      memory_(std::min<uint64_t>(m.info.global_bytes, uint64_t(12) << 30)),
      hierarchy_(m),
      engines_({m.host.copy_engines, m.host.both_share, m.host.handover_us}) {
  streams_[0] = {};
}

// ---- the module ----

namespace {

/// Names of variables and functions that a kernel's code can reach.
void names_in(const ptx::Operand& o, std::set<std::string>& out) {
  if (!o.name.empty()) out.insert(o.name);
  for (const auto& i : o.items) names_in(i, out);
}

std::set<std::string> reached_names(const ptx::Module& m) {
  std::set<std::string> names;
  std::vector<std::string> todo;
  auto visit = [&](const std::set<std::string>& found) {
    for (const auto& n : found)
      if (names.insert(n).second) todo.push_back(n);
  };
  for (const auto& f : m.functions)
    if (f.kernel && f.defined) visit({f.name});
  while (!todo.empty()) {
    const std::string name = todo.back();
    todo.pop_back();
    std::set<std::string> found;
    if (auto f = m.function_by_name.find(name); f != m.function_by_name.end())
      for (const auto& i : m.functions[f->second].code)
        for (const auto& o : i.operands) names_in(o, found);
    if (auto v = m.variable_by_name.find(name); v != m.variable_by_name.end())
      for (const auto& r : m.variables[v->second].relocs) found.insert(r.symbol);
    visit(found);
  }
  return names;
}

}  // namespace

void SimtDevice::load(std::shared_ptr<const ptx::Module> module, const Assembled& resources) {
  flush();
  place(std::move(module), resources);
}

void SimtDevice::place(std::shared_ptr<const ptx::Module> module, const Assembled& resources) {
  module_ = std::move(module);
  resources_ = resources;
  program_.reset();
  repeated_.forget();
  symbols_.clear();
  shapes_.clear();
  dynamic_limit_.clear();
  placed_.assign(module_->variables.size(), false);
  for (const auto& name : reached_names(*module_))
    if (auto v = module_->variable_by_name.find(name); v != module_->variable_by_name.end())
      place_variable(v->second);
  program_ = decode(module_, symbols_, model_.alone);
  write_relocations();
}

void SimtDevice::exchange_with(Parked& p) {
  std::swap(module_, p.module);
  std::swap(resources_, p.resources);
  std::swap(program_, p.program);
  std::swap(symbols_, p.symbols);
  std::swap(placed_, p.placed);
  std::swap(dynamic_limit_, p.dynamic_limit);
  std::swap(shapes_, p.shapes);
}

void SimtDevice::load_beside(std::shared_ptr<const ptx::Module> module, const Assembled& resources) {
  wait_until_idle();
  end_queue();
  if (module_) exchange_with(parked_[module_.get()]);
  place(std::move(module), resources);
}

void SimtDevice::select(const ptx::Module& module) {
  if (module_.get() == &module) return;
  if (!parked_.count(&module)) return;
  wait_until_idle();
  end_queue();
  make_current(module);
}

void SimtDevice::make_current(const ptx::Module& module) {
  if (module_.get() == &module) return;
  const auto found = parked_.find(&module);
  Parked other = std::move(found->second);
  parked_.erase(found);
  if (module_) exchange_with(parked_[module_.get()]);
  exchange_with(other);
}

void SimtDevice::place_variable(uint32_t index) {
  const ptx::Variable& v = module_->variables[index];
  if (placed_[index] || v.is_extern || (v.space != ptx::Space::global && v.space != ptx::Space::constant))
    return;
  const Owner owner = v.is_managed                      ? Owner::managed
                      : v.space == ptx::Space::constant ? Owner::constant
                                                        : Owner::device_global;
  Region* r = memory_.allocate(v.bytes, owner, ptx::base_name(v.name));
  if (!r) throw Error("the program's variable '" + v.name + "' does not fit in device memory");
  std::memset(r->data, 0, v.bytes);
  std::copy_n(v.init.begin(), std::min<size_t>(v.init.size(), v.bytes), r->data);
  r->initialized = true;  // module variables start as zeros
  placed_[index] = true;
  symbols_[v.name] = r->base;
}

void SimtDevice::write_relocations() {
  for (size_t i = 0; i < placed_.size(); ++i) {
    if (!placed_[i]) continue;
    const ptx::Variable& v = module_->variables[i];
    for (const auto& reloc : v.relocs) {
      uint64_t value = 0;
      if (auto s = symbols_.find(reloc.symbol); s != symbols_.end())
        value = s->second;
      else
        value = code_address(*program_, reloc.symbol);
      value += uint64_t(reloc.addend);
      if (std::byte* to = memory_.at(symbols_[v.name] + reloc.at, 8)) std::memcpy(to, &value, 8);
    }
  }
}

uint64_t SimtDevice::symbol(const std::string& name, uint64_t* bytes) {
  if (!module_) return 0;
  auto v = module_->variable_by_name.find(name);
  if (v == module_->variable_by_name.end()) return 0;
  if (!placed_[v->second]) {
    // A variable that no kernel uses, but host code copies to or from.
    place_variable(v->second);
    if (!placed_[v->second]) return 0;
    write_relocations();
  }
  if (bytes) *bytes = module_->variables[v->second].bytes;
  return symbols_[name];
}

KernelResources SimtDevice::kernel_resources(const std::string& mangled) {
  if (auto r = resources_.kernels.find(mangled); r != resources_.kernels.end()) return r->second;
  KernelResources k;
  const ptx::Function* f = module_ ? module_->find(mangled) : nullptr;
  if (!f) return k;
  k.registers = ptx::estimate_registers(*module_, *f);  // without ptxas
  k.static_smem = int(f->shared_bytes);
  k.local_bytes = int(f->local_bytes);
  k.estimated = true;
  return resources_.kernels[mangled] = k;
}

int SimtDevice::max_active_blocks(const std::string& mangled, uint32_t threads, uint32_t dynamic_smem) {
  const KernelResources k = kernel_resources(mangled);
  if (threads == 0 || threads > uint32_t(model_.info.threads_per_block)) return 0;
  return occupancy(model_, {threads, k.registers, uint64_t(k.static_smem), dynamic_smem}).blocks;
}

/// The time model's SMs with room for clusters, each with its resident blocks. The driver counts 8 of these
/// at most: an H200 (driver 580) gives 132 * 8 / 2 clusters of 2 blocks of 32 threads, whose SMs hold 32.
int SimtDevice::max_active_clusters(const LaunchSpec& spec) {
  const ptx::Function* f = module_ ? module_->find(spec.kernel) : nullptr;
  if (!f) return 0;
  const int size = int(launch_cluster(*f, spec).count());
  constexpr int most_counted = 8;
  const int blocks = max_active_blocks(spec.kernel, uint32_t(spec.block.count()), spec.dynamic_smem);
  const int sms = size > 1 ? model_.cluster.sms(size) : model_.info.sms;
  return sms / size * std::min(blocks, most_counted);
}

CudaStatus SimtDevice::allow_dynamic_smem(const std::string& mangled, int bytes) {
  const ptx::Function* f = module_ ? module_->find(mangled) : nullptr;
  if (!f || !f->kernel) return {cuda_error::invalid_device_function};
  if (bytes < 0 || bytes + kernel_resources(mangled).static_smem > model_.info.smem_per_block_optin)
    return {cuda_error::invalid_value};
  dynamic_limit_[mangled] = bytes;
  return {};
}

std::shared_ptr<const ptx::CodeShape> SimtDevice::shape_of(uint32_t function) {
  auto& s = shapes_[function];
  if (!s) {
    const ptx::Function& f = module_->functions[function];
    s = std::make_shared<const ptx::CodeShape>(resources_.ok ? ptx::sass_shape(*module_, f, resources_.cubin)
                                                             : ptx::estimate_shape(*module_, f));
  }
  return s;
}

double SimtDevice::code_bytes(uint32_t function) const {
  const ptx::Cubin cubin = ptx::read_cubin(resources_.cubin);
  const ptx::SassFunction* f = cubin.find(module_->functions[function].name);
  return f ? 16 * double(f->code.size()) : 0;
}

// ---- launches ----

CudaStatus SimtDevice::check(const LaunchSpec& s, const ptx::Function& f, const KernelResources& k,
                             int* blocks_per_sm) {
  const DeviceInfo& d = model_.info;
  const uint64_t threads = s.block.count();
  if (s.grid.count() == 0 || threads == 0) return {cuda_error::invalid_configuration};
  if (threads > uint64_t(d.threads_per_block) || s.block.x > 1024 || s.block.y > 1024 || s.block.z > 64)
    return {cuda_error::invalid_configuration};
  if (s.grid.x > 0x7FFFFFFFu || s.grid.y > 65535 || s.grid.z > 65535)
    return {cuda_error::invalid_configuration};
  const auto limit = dynamic_limit_.find(s.kernel);
  const int64_t allowed = limit != dynamic_limit_.end()
                              ? std::max<int64_t>(limit->second, d.smem_per_block - k.static_smem)
                              : int64_t(d.smem_per_block) - k.static_smem;
  if (int64_t(s.dynamic_smem) > allowed) return {cuda_error::invalid_value};
  if (f.max_threads && threads > uint64_t(f.max_threads)) return {cuda_error::invalid_value};
  const Occupancy o =
      occupancy(model_, {uint32_t(threads), k.registers, uint64_t(k.static_smem), s.dynamic_smem});
  if (o.blocks == 0) return {cuda_error::launch_out_of_resources};
  if (s.cooperative && s.grid.count() > uint64_t(o.blocks) * uint64_t(d.sms))
    return {cuda_error::cooperative_launch_too_large};
  *blocks_per_sm = o.blocks;
  return {};
}

CudaStatus SimtDevice::launch(const LaunchSpec& spec) {
  if (!in_graph_ && depth_ == 0) charge(model_.host.launch_us, "launch");
  if (broken_) return {cuda_error::launch_failure};
  const auto found =
      module_ ? module_->function_by_name.find(spec.kernel) : decltype(module_->function_by_name.end()){};
  if (!module_ || found == module_->function_by_name.end() || !module_->functions[found->second].kernel)
    return {cuda_error::invalid_device_function};
  Stream* stream = find_stream(spec.stream);
  if (!stream) return {cuda_error::invalid_resource_handle};
  const ptx::Function& f = module_->functions[found->second];
  if (sampler_ && depth_ == 0)
    if (const bool results = !sampler_->in_detail(f.demangled, spec); results != for_results_) {
      end_queue();
      for_results_ = results;
    }
  Queued q;
  if (const CudaStatus s = check(spec, f, kernel_resources(spec.kernel), &q.node.blocks_per_sm); !s.ok())
    return s;
  q.node.spec = spec;
  if (q.node.spec.cluster.count() == 0) q.node.spec.cluster = {1, 1, 1};
  q.node.function = found->second;
  q.node.priority = spec.priority.value_or(stream->priority);
  q.issued = clock_.host;
  q.graph = in_graph_;
  q.works = before(spec.stream, &Stream::works);
  std::vector<uint32_t> after = before(spec.stream);
  if (spec.programmatic && !stream->tail.empty()) {
    // Its own stream's last launch may still run; everything else comes first as always.
    std::erase_if(after, [&](uint32_t a) {
      return std::find(stream->tail.begin(), stream->tail.end(), a) != stream->tail.end();
    });
    q.node.after_start = stream->tail;
  }
  q.node.after = std::move(after);
  const uint32_t index = uint32_t(queue_.size());
  queue_.push_back(std::move(q));
  stream->tail = {index};
  stream->works.clear();  // the launch comes after them
  if (control_.apart) {
    hierarchy_.clear();
    flush();
  } else if (launches_others(f)) {
    flush();
  }
  return {};
}

std::vector<Diagnostic> SimtDevice::take_findings() { return std::exchange(findings_, {}); }

std::vector<LaunchReport> SimtDevice::take_launches() {
  clock_.taken = clock_.host;
  host_spans_.clear();
  first_span_ = spans_.size();
  clock_.first = -1;
  clock_.last = 0;
  clock_.device = 0;
  return std::exchange(launches_, {});
}

Timing SimtDevice::device_time() const {
  const double us = clock_.first < 0 ? 0 : clock_.last - clock_.first;
  return {us, us, us, clock_.first < 0 ? 0 : 1, Source::modelled};
}

}  // namespace dojo::simt
