#include "exec/process.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "core/compile/own/link_units.hpp"
#include "core/error.hpp"
#include "exec/fat_binary.hpp"
#include "exec/faults.hpp"
#include "host/state/unawaited.hpp"
#include "simt/device/executed.hpp"
#include "simt/device/register.hpp"

namespace dojo::exec {
namespace {

std::string program_name() {
  std::error_code ec;
  return std::filesystem::read_symlink("/proc/self/exe", ec).filename().string();
}

NativeRunOptions options_of_environment() {
  const char* text = std::getenv(native_run_variable);
  return text ? native_options_from_json(text) : NativeRunOptions();
}

/// The CUDA error that a GPU returns after what ended the run.
int error_of(const RunStopped& stop) {
  return stop.status == Status::timeout ? cuda_error::launch_timeout : finding_info(stop.why.kind).cuda_error;
}

/// Why a call can't be there, for the end of a sentence; empty where it only is not there yet.
std::string reason_of_missing(std::string_view call) {
  if (call.starts_with("cudaIpc") || call.starts_with("cuIpc"))
    return ": each process has a machine of its own, and shares no device memory and no events with another";
  return {};
}

/// What a call that is not there returns, by the library that its name says.
const char* error_of_missing(std::string_view call) {
  if (call.starts_with("cublas")) return "CUBLAS_STATUS_NOT_SUPPORTED";
  if (call.starts_with("cusparse")) return "CUSPARSE_STATUS_NOT_SUPPORTED";
  if (call.starts_with("cufft")) return "CUFFT_NOT_SUPPORTED";
  if (call.starts_with("cusolver")) return "CUSOLVER_STATUS_NOT_SUPPORTED";
  if (call.starts_with("curand")) return "an error of cuRAND";
  const bool driver = call[2] >= 'A' && call[2] <= 'Z';  // cuLaunchKernel, not cudaLaunchKernel
  return driver ? "CUDA_ERROR_NOT_SUPPORTED" : "cudaErrorNotSupported";
}

}  // namespace

Process& Process::get() {
  static Process* only = nullptr;
  static std::once_flag made;
  std::call_once(made, [] {
    try {
      only = new Process;
    } catch (const std::exception& e) {
      std::fprintf(stderr, "warpdojo: %s\n", e.what());
      std::_Exit(71);
    }
  });
  return *only;
}

Process::Process() : options_(options_of_environment()) {
  RunReport& run = result_.report.runs.emplace_back();
  run.who = "student";
  result_.report.step = program_name();
}

// ---- registration ----

void** Process::register_binary(const void* wrapper) {
  binaries_.push_back(std::make_unique<Binary>());
  binaries_.back()->wrapper = wrapper;
  return reinterpret_cast<void**>(binaries_.back().get());
}

void Process::register_function(void** binary, const void* host_function, const char* name) {
  functions_[reinterpret_cast<uint64_t>(host_function)] = {reinterpret_cast<Binary*>(binary), name};
}

void Process::register_variable(void** binary, const void* host_variable, const char* name) {
  variables_[reinterpret_cast<uint64_t>(host_variable)] = {reinterpret_cast<Binary*>(binary), name};
}

void Process::register_managed(void** binary, void** pointer, const char* name) {
  reinterpret_cast<Binary*>(binary)->managed.push_back({pointer, name});
}

void Process::place_managed(void** binary) {
  Binary& b = *reinterpret_cast<Binary*>(binary);
  if (b.managed.empty() || b.loaded) return;
  runtime();
  load(b);
}

void Process::use(const std::shared_ptr<const ptx::Module>& module) {
  device_->select(*module);
  runtime_->use_module(module);
}

/// Throws Error.
std::shared_ptr<const ptx::Module> Process::load_module(std::string text) {
  const DeviceInfo& d = device_->info();
  auto module = ptx::parse(with_names_of_sources(std::move(text)), ptx::every_project_file);
  const bool kernels = std::any_of(module->functions.begin(), module->functions.end(),
                                   [](const ptx::Function& f) { return f.kernel && f.defined; });
  Assembled assembled;
  assembled.ok = true;
  if (kernels)
    assembled =
        assemble(ptx::strip_host(*module), "sm_" + std::to_string(d.cc_major) + std::to_string(d.cc_minor));
  device_->load_beside(module, assembled);
  return module;
}

void Process::load(Binary& b) {
  if (b.loaded) return;
  b.loaded = true;
  const DeviceInfo& d = device_->info();
  std::string why_not;
  std::vector<compile_detail::Unit> units;
  for (FoundPtx& found : find_ptx(b.wrapper, 10 * d.cc_major + d.cc_minor))
    if (found.text.empty())
      why_not = found.why_not;
    else
      units.push_back({"file " + std::to_string(units.size() + 1), std::move(found.text)});
  std::erase_if(units, compile_detail::is_device_runtime);
  if (compile_detail::need_each_other(units)) {
    std::vector<Diagnostic> problems;
    std::string all = compile_detail::link_units(units, &problems);
    for (const Diagnostic& p : problems) why_not = p.message;
    units = {{"all files", std::move(all)}};
  }
  for (compile_detail::Unit& unit : units) try {
      b.modules.push_back(load_module(std::move(unit.ptx)));
    } catch (const Error& e) {
      why_not = e.what();
    }
  if (!why_not.empty()) fail(why_not);
  for (const Binary::Managed& m : b.managed) {
    variables_[reinterpret_cast<uint64_t>(m.pointer)] = {&b, m.name};
    const uint64_t address = variable(reinterpret_cast<uint64_t>(m.pointer));
    *m.pointer = reinterpret_cast<void*>(address);
    variables_[address] = {&b, m.name};
  }
}

void** Process::load_image(const void* image, std::string* why) {
  runtime();
  const DeviceInfo& d = device_->info();
  FoundPtx found = find_image(image, 10 * d.cc_major + d.cc_minor);
  if (found.text.empty()) {
    *why = found.why_not;
    return nullptr;
  }
  auto binary = std::make_unique<Binary>();
  binary->loaded = true;
  try {
    binary->modules.push_back(load_module(std::move(found.text)));
  } catch (const Error& e) {
    *why = e.what();
    return nullptr;
  }
  binaries_.push_back(std::move(binary));
  return reinterpret_cast<void**>(binaries_.back().get());
}

void Process::fail(const std::string& why) {
  Diagnostic d;
  d.kind = FindingKind::not_loaded;
  d.message = "the kernels of " + program_name() + " can't run here: " + why;
  add_finding(std::move(d));
}

const ptx::Function* Process::kernel(uint64_t host_function) {
  const auto found = functions_.find(host_function);
  if (found == functions_.end()) return nullptr;
  load(*found->second.binary);
  for (const auto& module : found->second.binary->modules)
    if (const ptx::Function* f = module->find(found->second.name); f && f->kernel && f->defined) {
      use(module);
      return f;
    }
  return nullptr;
}

uint64_t Process::variable(uint64_t host_variable) {
  const auto found = variables_.find(host_variable);
  if (found == variables_.end()) return 0;
  load(*found->second.binary);
  for (const auto& module : found->second.binary->modules) {
    const auto v = module->variable_by_name.find(found->second.name);
    if (v == module->variable_by_name.end() || module->variables[v->second].is_extern) continue;
    use(module);
    return device_->symbol(found->second.name, nullptr);
  }
  return 0;
}

// ---- the device ----

void Process::apply_control() {
  RunControl c;
  c.checks = options_.checks && looking_;
  c.timing = options_.timing && looking_;
  c.lines = options_.lines && looking_;
  samples_.looking = looking_;
  device_->set_control(c);
  simt::count_caches(*device_, c.timing || c.lines);
}

host::Runtime& Process::runtime() {
  if (runtime_) return *runtime_;
  try {
    simt::register_simt();
    device_ = open_device(options_.device);
    device_->memory().share_with_process();
    device_->memory().set_limit(memory_limit());
  } catch (const Error& e) {
    std::fprintf(stderr, "warpdojo: %s\n", e.what());
    std::_Exit(e.exit);
  }
  samples_.first = options_.sample;
  apply_control();
  simt::sample_launches(*device_, &samples_);
  simt::sample_blocks(*device_, uint64_t(options_.sample_blocks));
  simt::run_to_the_end(*device_);
  simt::run_beside(*device_, &beside_);
  device_->set_printer([this](std::string_view text) { beside_.print(text); });
  runtime_ = std::make_unique<host::Runtime>(*device_, *this);
  result_.report.device = report_device(device_->info());
  catch_faults();
  tell_begun();
  return *runtime_;
}

uint64_t Process::memory_limit() const {
  return std::min(uint64_t(options_.memory_gib) << 30, device_->info().global_bytes);
}

SourceLoc Process::caller(const void* address) {
  return code_.caller(reinterpret_cast<uint64_t>(address)).where;
}

void Process::tell_missing(const char* name, const void* return_address) {
  if (!missing_.insert(name).second) return;
  const NativeCode::Place place = code_.caller(reinterpret_cast<uint64_t>(return_address));
  std::string from = place.function;
  if (!place.where.file.empty())
    from += (from.empty() ? "" : ", ") + place.where.file + ":" + std::to_string(place.where.line);
  const char* const error = error_of_missing(name);
  const std::string why = reason_of_missing(name);
  std::fprintf(stderr, "warpdojo: %s is not supported%s and returns %s%s%s%s%s\n", name,
               why.empty() ? " yet" : "", error, from.empty() ? "" : " (called in ", from.c_str(),
               from.empty() ? "" : ")", why.c_str());
  Diagnostic d;
  d.severity = Severity::note;
  d.kind = FindingKind::unsupported;
  d.where = place.where;
  d.message =
      std::string(name) + " is not supported" + (why.empty() ? " yet" : "") + "; it returned " + error + why;
  add_finding(std::move(d));
}

void Process::tell_not_simulated(const char* name, const void* return_address) {
  if (!missing_.insert(name).second) return;
  Diagnostic d;
  d.severity = Severity::note;
  d.kind = FindingKind::not_simulated;
  d.where = caller(return_address);
  d.message =
      std::string(name) + " is computed on the host: it is not simulated, and has no counters and no time";
  add_finding(std::move(d));
}

void Process::choose_launch(const ptx::Function& kernel) {
  const std::string& name = kernel.demangled;
  ++asked_;
  const bool matches =
      options_.only.empty() || name == options_.only || name.substr(0, name.find('<')) == options_.only;
  const bool look = matches && matched_ >= options_.skip &&
                    (options_.count < 0 || matched_ - options_.skip < options_.count);
  matched_ += matches;
  if (look == looking_) return;
  device_->synchronize();
  collect();
  looking_ = look;
  apply_control();
}

int Process::stopped(const RunStopped& stop) {
  add_finding(stop.why);
  const int code = error_of(stop);
  if (runtime_) runtime_->last_error = code;
  // Host code's own mistakes end the call only; the device is as it was.
  const bool of_host = device_ && device_->copy(0, 0, 0, 0, false).ok();  // 0 bytes: fails on a failed device
  if (!of_host) {
    sticky_ = code;
    if (runtime_) runtime_->unawaited().device_failed();
  }
  return of_host ? cuda_error::invalid_value : code;
}

void Process::finish() {
  std::scoped_lock lock(mutex);
  if (runtime_) {
    try {
      if (!sticky_) device_->synchronize();
    } catch (const RunStopped& stop) {
      stopped(stop);
    }
    beside_.flush_printed();
    runtime_->close();
    if (!options_.leaks)
      std::erase_if(runtime_->findings, [](const Diagnostic& d) { return d.kind == FindingKind::leak; });
    collect();
  }
  tell_real_libraries();
  write_result();
}

bool Process::explain_fault(uint64_t address, uint64_t code_address, bool write) {
  if (!device_ || !device_->memory().on_device_side(address)) return false;
  AddressSpace& memory = device_->memory();
  const NativeCode::Place place = code_.caller(code_address + 1);
  Diagnostic d;
  d.kind = FindingKind::wrong_space;
  d.where = place.where;
  d.message = std::string("host code ") + (write ? "writes " : "reads ") + memory.describe(address);
  const Region* r = memory.find(address);
  if (r) d.message += std::string(", which is ") + to_string(r->owner);
  if (place.where.file.empty())
    d.message += ", in " + (place.function.empty() ? std::string("the program") : place.function) +
                 " (compile with -g for its line)";
  d.message += ". Copy it with cudaMemcpy first, or allocate it with cudaMallocManaged.";
  if (r && !r->allocated.file.empty()) {
    Related allocated;
    allocated.where = r->allocated;
    allocated.message = r->name + " was allocated here";
    d.related.push_back(std::move(allocated));
  }
  add_finding(std::move(d));
  return true;
}

}  // namespace dojo::exec
