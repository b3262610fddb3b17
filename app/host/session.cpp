// Session: loads a compiled program on a device, places its host variables, and calls its functions.
#include <algorithm>
#include <set>
#include <utility>

#include "core/bytes.hpp"
#include "core/error.hpp"
#include "core/text/numbers.hpp"
#include "host/files.hpp"
#include "host/program_run.hpp"
#include "host/runtime.hpp"
#include "host/state/unawaited.hpp"
#include "ptx/lines/refused_ptx.hpp"

namespace dojo::host {
namespace {

/// Indices of the variables that kernels use, directly, through functions, or through pointers in other
/// variables. They belong to the device.
std::set<uint32_t> reached_by_kernels(const ptx::Module& m) {
  std::set<uint32_t> variables, functions;
  std::vector<uint32_t> open;
  for (uint32_t f = 0; f < m.functions.size(); ++f)
    if (m.functions[f].kernel && functions.insert(f).second) open.push_back(f);
  auto reach = [&](const std::string& name) {
    if (auto v = m.variable_by_name.find(name); v != m.variable_by_name.end()) return v->second;
    return ~0u;
  };
  std::vector<uint32_t> open_variables;
  auto add_variable = [&](uint32_t v) {
    if (v < m.variables.size() && variables.insert(v).second) open_variables.push_back(v);
  };
  auto add_function = [&](uint32_t f) {
    if (f < m.functions.size() && functions.insert(f).second) open.push_back(f);
  };
  auto visit = [&](auto&& self, const ptx::Operand& o) -> void {
    if (o.symbol == ptx::SymbolKind::variable) add_variable(uint32_t(o.target));
    if (o.symbol == ptx::SymbolKind::function) add_function(uint32_t(o.target));
    for (const auto& i : o.items) self(self, i);
  };
  while (!open.empty() || !open_variables.empty()) {
    if (!open.empty()) {
      const uint32_t f = open.back();
      open.pop_back();
      for (const auto& i : m.functions[f].code)
        for (const auto& o : i.operands) visit(visit, o);
    } else {
      const uint32_t v = open_variables.back();
      open_variables.pop_back();
      for (const auto& r : m.variables[v].relocs) {
        add_variable(reach(r.symbol));
        if (auto f = m.function_by_name.find(r.symbol); f != m.function_by_name.end())
          add_function(f->second);
      }
    }
  }
  return variables;
}

/// Is it a variable that the compiler made: a string literal, a vtable, a constant of an aggregate?
bool compiler_made(const std::string& name) {
  // "_Z3runv$6": a constant that an unoptimised compile makes of an aggregate in run(), such as dim3(32, 8).
  return name.find('$') != std::string::npos || name.rfind("_ZT", 0) == 0 || name.rfind("__unnamed", 0) == 0;
}
/// Is it declared by our standard headers' shims, such as std::cout?
bool of_library(const std::string& name) { return name.rfind("_ZSt", 0) == 0 || name.rfind("_ZNSt", 0) == 0; }
bool function_static(const std::string& name) { return name.rfind("_ZZ", 0) == 0; }

std::string last_component(const std::string& name) {
  const size_t at = name.rfind("::");
  return at == std::string::npos ? name : name.substr(at + 2);
}

/// Bytes of the __shared__ arrays of fixed size that a kernel's own code names.
uint64_t fixed_shared_bytes(const ptx::Module& m, const ptx::Function& kernel) {
  uint64_t bytes = 0;
  for (const ptx::Variable& v : kernel.locals)
    if (v.space == ptx::Space::shared) bytes += v.bytes;
  std::set<size_t> named;
  const auto look = [&](const ptx::Operand& o, auto& self) -> void {
    if (o.symbol == ptx::SymbolKind::variable) named.insert(size_t(o.target));
    for (const ptx::Operand& item : o.items) self(item, self);
  };
  for (const ptx::Instruction& i : kernel.code)
    for (const ptx::Operand& o : i.operands) look(o, look);
  for (size_t i : named)
    if (m.variables[i].space == ptx::Space::shared && !m.variables[i].is_extern)
      bytes += m.variables[i].bytes;
  return bytes;
}

std::string size_list(const std::vector<uint64_t>& sizes) {
  std::string s;
  for (uint64_t v : sizes) s += (s.empty() ? "" : ", ") + std::to_string(v);
  return s.empty() ? "none" : s;
}

}  // namespace

struct Session::Impl {
  Device& device;
  std::shared_ptr<const ptx::Module> module;
  Assembled assembled;
  std::shared_ptr<const simt::Program> program;
  std::unique_ptr<Runtime> runtime;
  std::unique_ptr<simt::HostThread> thread;

  Impl(const Compiled& c, const std::string& file, Device& d, const RunControl& control) : device(d) {
    module = parsed(c.ptx, file);
    const DeviceInfo& info = device.info();
    std::string sm = "sm_" + std::to_string(info.cc_major) + std::to_string(info.cc_minor);
    if (module->target == sm + "a") sm += "a";
    const bool kernels = std::any_of(module->functions.begin(), module->functions.end(),
                                     [](const ptx::Function& f) { return f.kernel && f.defined; });
    if (kernels) {
      refuse_large_arrays(info);
      const std::string stripped = ptx::strip_host(*module);
      assembled = assemble(stripped, sm);
      if (control.as_written) leave_out_registers();
      // What ptxas itself refuses no GPU can run either.
      if (assembled.refused)
        throw RunStopped(Status::compile_error, ptx::refused_by_ptxas(assembled, *module, stripped));
    } else {
      assembled.ok = true;
    }
    device.set_control(control);
    device.load(module, assembled);
    runtime = std::make_unique<Runtime>(device, module, c.allocation_names);
    place_variables(c);
    thread = std::make_unique<simt::HostThread>(*program, device.memory(), *runtime, control);
    runtime->attach(*program, *thread);
    device.set_printer([rt = runtime.get()](std::string_view s) { rt->print(s); });
  }

  /// Code without optimisation keeps every value in a register of its own, several times as many as the code
  /// that a student launches: with so few per thread any block and any cooperative grid fits.
  void leave_out_registers() {
    for (auto& [name, kernel] : assembled.kernels) kernel.registers = std::min(kernel.registers, 32);
  }

  static std::shared_ptr<const ptx::Module> parsed(const std::string& ptx, const std::string& file) try {
    return ptx::parse(ptx, file);
  } catch (const ptx::ParseError& e) {
    throw RunStopped(Status::compile_error, ptx::refused_by_parser(e, ptx, file));
  }

  /// As ptxas does, but in the student's words, and where there is no ptxas.
  void refuse_large_arrays(const DeviceInfo& info) const {
    for (const ptx::Function& f : module->functions) {
      const uint64_t bytes = f.kernel && f.defined ? fixed_shared_bytes(*module, f) : 0;
      if (bytes > uint64_t(info.smem_per_block))
        throw RunStopped(
            Status::compile_error,
            {.kind = FindingKind::compile,
             .where = f.where.line ? f.where : SourceLoc{module->student_file},
             .message = f.demangled + " has " + grouped(double(bytes)) +
                        " bytes of __shared__ arrays of fixed size; at most " +
                        grouped(double(info.smem_per_block)) +
                        " bytes are allowed. Make the arrays smaller, or use dynamic shared memory.",
             .kernel = f.demangled});
    }
  }

  /// Gives host variables, literals and vtables host memory. Device variables are already placed by the
  /// device.
  void place_variables(const Compiled& c) {
    const std::set<std::string> host_names(c.host_variables.begin(), c.host_variables.end());
    const std::set<uint32_t> reached = reached_by_kernels(*module);
    simt::SymbolTable symbols;
    std::vector<uint32_t> ours;
    for (uint32_t i = 0; i < module->variables.size(); ++i) {
      const ptx::Variable& v = module->variables[i];
      if (v.space != ptx::Space::global && v.space != ptx::Space::constant) continue;
      const std::string base = last_component(ptx::base_name(v.name));
      const bool host = compiler_made(v.name) || of_library(v.name) ||
                        (function_static(v.name) && !reached.count(i)) ||
                        (host_names.count(base) && v.space == ptx::Space::global && !v.is_managed);
      if (!host) {
        symbols[v.name] = device.symbol(v.name);
        continue;
      }
      Region* r = device.memory().allocate(std::max<uint64_t>(v.bytes, 1), Owner::host_global,
                                           compiler_made(v.name) ? std::string(constant_name) : base);
      if (!r) throw Error("the program's variables don't fit in memory", 2);
      std::memset(r->data, 0, r->size);
      copy_bytes(r->data, v.init.data(), std::min<size_t>(v.init.size(), r->size));
      r->initialized = true;
      symbols[v.name] = r->base;
      ours.push_back(i);
    }
    program = simt::decode(module, symbols);
    for (uint32_t i : ours) {
      const ptx::Variable& v = module->variables[i];
      Region* r = device.memory().find(symbols[v.name]);
      for (const auto& reloc : v.relocs) {
        uint64_t a = 0;
        if (auto s = symbols.find(reloc.symbol); s != symbols.end())
          a = s->second;
        else
          a = simt::code_address(*program, reloc.symbol);
        a += uint64_t(reloc.addend);
        if (reloc.at + 8 <= r->size) std::memcpy(r->data + reloc.at, &a, 8);
      }
      if (compiler_made(v.name)) r->read_only = true;
    }
  }

  /// Runs what is still queued, then reports leaks and unseen errors.
  void finish() {
    device.synchronize();
    runtime->close();
  }
};

Session::Session(const Compiled& c, const std::string& file, Device& device, const RunControl& control)
    : impl_(std::make_unique<Impl>(c, file, device, control)) {}

Session::~Session() {
  if (impl_) impl_->device.set_printer({});
}

namespace {
std::vector<uint64_t> parameter_sizes(const ptx::Function& f) {
  std::vector<uint64_t> sizes;
  for (const auto& p : f.params) sizes.push_back(p.bytes);
  return sizes;
}
}  // namespace

Ended Session::call(const std::string& entry, std::span<const std::vector<std::byte>> args) {
  const ptx::Module& m = *impl_->module;
  std::vector<uint64_t> gets;
  for (const auto& a : args) gets.push_back(a.size());
  const std::vector<const ptx::Function*> overloads = m.find_named(entry, false);
  const auto fits = [&](const ptx::Function* f) { return parameter_sizes(*f) == gets; };
  const auto fitting = std::ranges::find_if(overloads, fits);
  if (overloads.empty()) {
    std::string there;
    for (const auto& g : m.functions)
      if (!g.kernel && g.defined && g.name.rfind("_ZN", 0) != 0)
        there += (there.empty() ? "" : ", ") + g.demangled;
    throw Error("there is no host function \"" + entry + "\" in the file" +
                (there.empty() ? std::string() : "; it has " + there));
  }
  if (fitting == overloads.end())
    throw Error("the parameters of \"" + entry + "\" don't fit: it takes sizes " +
                size_list(parameter_sizes(*overloads[0])) + " (bytes), the step passes " + size_list(gets) +
                "; compare its signature with the brief's");
  if (std::ranges::count_if(overloads, fits) > 1)
    throw Error("several functions \"" + entry +
                "\" take parameters of these sizes: rename all but the entry");
  const ptx::Function* f = *fitting;
  std::vector<std::byte> block(f->param_bytes);
  for (size_t i = 0; i < args.size(); ++i)
    copy_bytes(block.data() + f->params[i].offset, args[i].data(), args[i].size());
  Ended e;
  try {
    e.returned = impl_->thread->call(f->name, block);
  } catch (const ProgramExit& x) {
    e.exit_status = x.status;
    Diagnostic d;
    d.kind = FindingKind::exit;
    d.where = x.where;
    d.message = x.call + " ends the program before " + entry +
                "() returns, so its caller gets no results. Return instead.";
    impl_->runtime->findings.push_back(std::move(d));
  }
  impl_->finish();
  return e;
}

Ended Session::main(std::span<const std::string> args) {
  const ptx::Module& m = *impl_->module;
  const ptx::Function* f = m.find("main");
  if (!f || !f->defined) throw Error("the file has no main function", 2);
  AddressSpace& memory = impl_->device.memory();
  std::vector<std::byte> block(f->param_bytes);
  if (f->params.size() >= 2) {
    std::vector<uint64_t> pointers;
    for (const std::string& a : args) {
      Region* r = memory.allocate(a.size() + 1, Owner::host_heap, "argv");
      std::memcpy(r->data, a.c_str(), a.size() + 1);
      r->initialized = true;
      pointers.push_back(r->base);
    }
    pointers.push_back(0);
    Region* r = memory.allocate(8 * pointers.size(), Owner::host_heap, "argv");
    copy_bytes(r->data, pointers.data(), 8 * pointers.size());
    r->initialized = true;
    const int32_t argc = int32_t(args.size());
    std::memcpy(block.data() + f->params[0].offset, &argc, std::min<size_t>(4, f->params[0].bytes));
    std::memcpy(block.data() + f->params[1].offset, &r->base, std::min<size_t>(8, f->params[1].bytes));
  }
  Ended e;
  try {
    const auto returned = impl_->thread->call("main", block);
    int32_t status = 0;
    copy_bytes(&status, returned.data(), std::min(returned.size(), sizeof status));
    e.exit_status = status & 0xff;
    impl_->runtime->run_at_exit();
  } catch (const ProgramExit& x) {
    e.exit_status = x.status & 0xff;
  }
  impl_->finish();
  return e;
}

void Session::set_printer(std::function<void(std::string_view)> p) { impl_->runtime->printer = std::move(p); }

void Session::set_files(const std::string& folder) { impl_->runtime->files().set_folder(folder); }

uint64_t Session::host_instructions() const { return impl_->thread->executed(); }
HostWork Session::host_work() const {
  HostWork work = impl_->runtime->work();
  work.instructions = int64_t(host_instructions());
  work.mapped_reads += int64_t(impl_->thread->mapped_reads());
  std::erase_if(work.calls, [](const auto& call) { return call.second == 0; });
  return work;
}
void Session::note_result(uint64_t address) { impl_->runtime->unawaited().note_result(address); }
std::vector<Diagnostic> Session::take_findings() { return std::exchange(impl_->runtime->findings, {}); }

const ptx::Module& Session::module() const { return *impl_->module; }
const Assembled& Session::assembled() const { return impl_->assembled; }

}  // namespace dojo::host
