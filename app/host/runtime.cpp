#include "host/runtime.hpp"

#include <driver_types.h>

#include <algorithm>
#include <cctype>

#include "core/compile/merge_ptx.hpp"
#include "core/error.hpp"
#include "core/text/numbers.hpp"
#include "host/files.hpp"
#include "host/graphs.hpp"
#include "host/state/array_table.hpp"
#include "host/state/c_library.hpp"
#include "host/state/launches.hpp"
#include "host/state/memory_pool.hpp"
#include "host/state/pinned_memory.hpp"
#include "host/state/streams.hpp"
#include "host/state/unawaited.hpp"
#include "simt/checks/host_view.hpp"
#include "simt/textures/image.hpp"

namespace dojo::host {

namespace {

const std::unordered_map<std::string, Handler>& handlers() {
  static const std::unordered_map<std::string, Handler> all = [] {
    std::unordered_map<std::string, Handler> m;
    for (std::span<const Entry> table : call_tables())
      for (const Entry& e : table) m.emplace(e.name, e.run);
    return m;
  }();
  return all;
}

/// CUDA's name of a function that NVRTC (__cudaCDP2...) or our headers (__dojo_...) renamed. Empty if it is
/// no function of the CUDA runtime.
std::string runtime_name(const std::string& name) {
  static const std::map<std::string, std::string> renamed = {
      {"__cudaCDP2LaunchDeviceV2", "cudaLaunchKernel"},
      {"__dojo_LaunchKernel", "cudaLaunchKernel"},
      {"__dojo_LaunchKernelEx", "cudaLaunchKernelEx"},
      {"__dojo_MemcpySymbol", "cudaMemcpySymbol"},
      {"__dojo_GetSymbol", "cudaGetSymbolAddress"},
      {"__cudaCDP2GetParameterBufferV2", ""},
      {"__dojo_OccupancyAvailableDynamicSMem", "cudaOccupancyAvailableDynamicSMemPerBlock"}};
  if (auto it = renamed.find(name); it != renamed.end()) return it->second;
  if (name.starts_with("__cudaCDP2")) return "cuda" + name.substr(10);
  if (name.starts_with("__dojo_") && std::isupper(static_cast<unsigned char>(name[7])))
    return "cuda" + name.substr(7);
  return name.starts_with("cuda") ? name : "";
}

/// The C++ library's name of a function that its shims (labs/include/shims) renamed.
std::string library_name(const std::string& name) {
  static const std::map<std::string, std::string> renamed = {
      {"__cudaCDP2GetParameterBufferV2", "cudaLaunchKernel"},
      {"__cudaPushCallConfiguration", "cudaLaunchKernel"},
      {"__cudaPopCallConfiguration", "cudaLaunchKernel"},
      {"__assertfail", "assert"},
      {"_dclk", "clock"},
      {"_dmcpy", "memcpy"},
      {"_dmset", "memset"},
      {"__dojo_fill", "std::fill"},
      {"__dojo_scan", "scanf"},
      {"__dojo_write", "fwrite"},
      {"__dojo_print_into", "snprintf"},
      {"__dojo_print_to", "fprintf"},
      {"__dojo_format_double", "std::to_string"}};
  if (auto it = renamed.find(name); it != renamed.end()) return it->second;
  for (const char* internal : {"__dojo_", "__nv_"})
    if (name.starts_with(internal)) return name.substr(std::string_view(internal).size());
  return name;
}

/// The name of a call whose entry serves two functions; an argument tells which.
std::string variant_name(const Call& c) {
  if (c.callee.name == "__dojo_LaunchKernel")
    return c.i32(6) ? "cudaLaunchCooperativeKernel" : "cudaLaunchKernel";
  return c.i32(4) ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol";
}

}  // namespace

std::span<const std::span<const Entry>> call_tables() {
  static const std::span<const Entry> all[] = {
      memory_calls(),           array_calls(),     array_copy_calls(), mipmap_calls(),
      launch_calls(),           occupancy_calls(), stream_calls(),     pool_calls(),
      stream_attribute_calls(), graph_calls(),     graph_node_calls(), device_calls(),
      string_calls(),           library_calls(),   print_calls(),      file_calls()};
  return all;
}

std::string Call::name() const {
  const std::string& own = callee.demangled.empty() ? callee.name : callee.demangled;
  if (!own.starts_with('_')) return own;
  if (callee.name == "__dojo_MemcpySymbol" || callee.name == "__dojo_LaunchKernel")
    return variant_name(*this);
  if (const std::string known = runtime_name(callee.name); !known.empty()) return known;
  return library_name(own);
}

Runtime::Callee Runtime::look_up(const ptx::Function& f) {
  Callee callee;
  if (auto found = handlers().find(f.name); found != handlers().end()) callee.run = found->second;
  const std::string name = runtime_name(f.name);
  if (name.empty() || !callee.run) return callee;
  callee.name = name;
  callee.count = &work_.calls[name];  // a map's elements stay where they are
  callee.variant = f.name == "__dojo_LaunchKernel" || f.name == "__dojo_MemcpySymbol";
  callee.copies = name.starts_with("cudaMemcpy");
  callee.fills = name.starts_with("cudaMemset");
  callee.waits = name.ends_with("Synchronize");
  return callee;
}

void Call::status(int code) {
  if (code) rt.last_error = code;
  ret<int32_t>(code);
}

std::byte* Call::read(uint64_t address, uint64_t n) const { return rt.bytes(*this, address, n, false); }
std::byte* Call::write(uint64_t address, uint64_t n) const { return rt.bytes(*this, address, n, true); }

std::string Call::text(uint64_t address, uint64_t most) const {
  if (most == 0) return "";
  const std::byte* p = read(address, 1);
  const char* letters = reinterpret_cast<const char*>(p);
  if (rt.of_process(address)) return std::string(letters, strnlen(letters, most));
  const Region* r = rt.memory().find(address);
  const uint64_t left = r->size - (address - r->base);
  const void* zero = std::memchr(p, 0, std::min(left, most));
  if (!zero && most <= left) return std::string(letters, most);
  if (!zero)
    rt.stop(*this, FindingKind::out_of_bounds,
            name() + " reads past the end of a string that has no final zero (" + rt.describe(address) + ")");
  return std::string(letters, size_t(static_cast<const std::byte*>(zero) - p));
}

struct Runtime::State {
  explicit State(Runtime& rt) : unawaited(rt), graphs(rt) {}
  CLibrary c_library;
  Files files;
  PinnedMemory pinned;
  MemoryPool memory_pool;
  ArrayTable arrays;
  Streams streams;
  Launches launches;
  Unawaited unawaited;
  Graphs graphs;
};

Runtime::Runtime(Device& device, std::shared_ptr<const ptx::Module> module, std::map<int, std::string> names)
    : device_(device),
      module_(std::move(module)),
      allocation_names_(std::move(names)),
      state_(std::make_unique<State>(*this)) {}

Runtime::Runtime(Device& device, NativeProgram& native)
    : device_(device), native_(&native), state_(std::make_unique<State>(*this)) {}

Runtime::~Runtime() = default;

CLibrary& Runtime::c_library() { return state_->c_library; }
Files& Runtime::files() { return state_->files; }
PinnedMemory& Runtime::pinned() { return state_->pinned; }
MemoryPool& Runtime::memory_pool() { return state_->memory_pool; }
ArrayTable& Runtime::arrays() { return state_->arrays; }
Streams& Runtime::streams() { return state_->streams; }
Launches& Runtime::launches() { return state_->launches; }
Unawaited& Runtime::unawaited() { return state_->unawaited; }
Graphs& Runtime::graphs() { return state_->graphs; }

bool Runtime::of_process(uint64_t address) {
  if (!native_ || address < 4096 || memory().on_device_side(address)) return false;
  const Region* r = memory().find(address);
  return !r || (r->freed && !r->data);  // registered once, and no longer
}

void Runtime::call(const ptx::Function& callee, std::span<const std::byte> args, std::span<std::byte> result,
                   const SourceLoc& where) {
  auto [it, first] = callees_.try_emplace(&callee);
  if (first) it->second = look_up(callee);
  const Callee& known = it->second;
  Call c{*this, callee, args, result, where};
  if (!known.run)
    stop(c, FindingKind::unsupported,
         "host code calls " + c.name() +
             ", which is declared but neither defined in this file nor provided here");
  std::fill(result.begin(), result.end(), std::byte{0});
  if (known.count) ++*(known.variant ? &work_.calls[variant_name(c)] : known.count);
  work_.copies += known.copies;
  work_.memsets += known.fills;
  work_.syncs += known.waits;
  if (graphs().active())
    if (const int refused = graphs().refuse_by_name(c, known.name)) return c.status(refused);
  known.run(c);
  if (unawaited().any() && !callee.name.starts_with("cudaStream")) {  // a stream's end: Unawaited::note_end()
    static const char* const waits[] = {"Synchronize", "Query", "cudaFree", "CDP2Free", "DeviceReset"};
    for (const char* w : waits)
      if (callee.name.find(w) != std::string::npos) unawaited().clear();
  }
}

void Runtime::stop(const Call& c, FindingKind kind, std::string message) {
  Diagnostic d;
  d.kind = kind;
  d.where = c.where;
  d.message = std::move(message);
  throw RunStopped(Status::finding, std::move(d));
}

void Runtime::report(const Call& c, Severity severity, FindingKind kind, std::string message) {
  Diagnostic d;
  d.severity = severity;
  d.kind = kind;
  d.where = c.where;
  d.message = std::move(message);
  for (const Diagnostic& old : findings)
    if (old.kind == d.kind && old.where == d.where && old.message == d.message) return;
  if (findings.size() < 200) findings.push_back(std::move(d));
}

void Runtime::note_reach(const ptx::Function& kernel, const LaunchSpec& spec) {
  HostWork::Reach reach;
  const auto add = [](std::vector<uint64_t>& to, const Region* r) {
    if (r && r->on_device() && std::find(to.begin(), to.end(), r->base) == to.end()) to.push_back(r->base);
  };
  for (size_t o = 0; o + 8 <= spec.params.size(); o += 8) {
    uint64_t address = 0;
    std::memcpy(&address, spec.params.data() + o, 8);
    if (address < AddressSpace::host_base) continue;
    add(reach.reads, memory().find(address));
    // A texture or surface object stands for its texels.
    Region* object = nullptr;
    if (const simt::Image* i = simt::image_at(memory(), address, &object))
      add(reach.reads, memory().find(i->data));
  }
  for (const ptx::Instruction& i : kernel.code)
    for (const ptx::Operand& o : i.operands)
      if (o.symbol == ptx::SymbolKind::variable) add(reach.reads, memory().find(device_.symbol(o.name)));
  std::vector<Region*> written;
  if (simt::launch_writes(memory(), *program_, spec, &written))
    for (const Region* r : written) add(reach.writes, r);
  else
    reach.writes = reach.reads;  // not known: whatever it can reach
  work_.launches.push_back(std::move(reach));
}

CudaStatus Runtime::host_function(uint64_t stream, uint64_t function, uint64_t argument) {
  if (in_host_function_) return {cudaErrorNotPermitted};
  device_.synchronize_stream(stream);
  if (native_) {
    reinterpret_cast<void (*)(void*)>(function)(reinterpret_cast<void*>(argument));
    return {};
  }
  Unawaited::Work before = unawaited().take_work_before(stream);
  struct Within {  // an exception of the program's may leave the function
    bool& flag;
    explicit Within(bool& f) : flag(f) { flag = true; }
    ~Within() { flag = false; }
  };
  {
    const Within within(in_host_function_);
    thread_->call(function, std::as_bytes(std::span(&argument, 1)));
  }
  unawaited().put_back(std::move(before));
  return {};
}

void Runtime::poll() {
  device_.synchronize();
  unawaited().clear();
}

const ptx::Function* Runtime::kernel_at(uint64_t code_address) const {
  kernel_address_ = code_address;
  if (native_) return native_->kernel(code_address);
  const ptx::Function* f = simt::function_at(*program_, code_address);
  if (const std::string kernel = f ? compile_detail::kernel_of_stub(f->name) : ""; !kernel.empty())
    f = program_->module().find(kernel);
  return f && f->kernel ? f : nullptr;
}

// The modelled host executes three instructions per nanosecond and takes 100 ns per read of the clock. Both
// are assumed, not measured.
uint64_t Runtime::now_ns() {
  const uint64_t host = thread_ ? thread_->executed() / 3 : 0;
  return uint64_t(device_.end_to_end_us() * 1000.0) + host + 100 * ++clock_reads_;
}

void Runtime::run_at_exit() {
  std::vector<uint64_t>& functions = c_library().at_exit;  // a function may add others
  while (!functions.empty()) {
    const uint64_t f = functions.back();
    functions.pop_back();
    thread_->call(f, {});
  }
}

void Runtime::close() {
  for (Diagnostic& d : unseen_launch_errors) findings.push_back(std::move(d));
  unseen_launch_errors.clear();
  if (const SourceLoc* began = graphs().unended()) {
    Diagnostic d;
    d.kind = FindingKind::host_error;
    d.where = *began;
    d.message =
        "This capture never ends: nothing of what went to the stream since has run. Call "
        "cudaStreamEndCapture(), cudaGraphInstantiate() and cudaGraphLaunch().";
    findings.push_back(std::move(d));
  }
  auto& live_arrays = arrays().arrays;
  int listed = 0;
  for (uint64_t a : allocations_) {
    const Region* r = memory().find(a);
    if (!r || r->freed || graphs().owns(a) || c_library().thrown || ++listed > LeakedMemory::most_listed)
      continue;
    Diagnostic d;
    d.severity = Severity::warning;
    d.kind = FindingKind::leak;
    d.where = r->allocated;
    const bool array = std::any_of(live_arrays.begin(), live_arrays.end(),
                                   [&](const auto& e) { return e.second.data == a; });
    const LeakedMemory leak{r->size, to_string(r->owner), r->name,
                            array                       ? "cudaFreeArray"
                            : r->owner == Owner::pinned ? "cudaFreeHost"
                                                        : "cudaFree"};
    d.message = grouped(double(leak.bytes)) + " bytes of " + leak.owner + " (" + leak.name +
                ") were never freed: call " + leak.freed_by + ".";
    d.facts.leak = leak;
    findings.push_back(std::move(d));
  }
  if (TextureDriver* driver = live_arrays.empty() ? nullptr : device_.texture_driver())
    for (const auto& [handle, array] : live_arrays) driver->free_array(handle);
  live_arrays.clear();
  allocations_.clear();
}

}  // namespace dojo::host
