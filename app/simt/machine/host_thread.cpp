// Host functions: the same table, one lane wide, on a stack in the address space.
#include <fmt/format.h>

#include "core/bytes.hpp"
#include "simt/machine/machine.hpp"
#include "simt/ops/host_calls.hpp"
#include "simt/ops/host_exceptions.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/frames.hpp"
#include "simt/state/host_state.hpp"

namespace dojo::simt {

namespace {
/// Runs of host code within each other: callbacks of qsort(), bsearch(), atexit() and cudaLaunchHostFunc().
/// Each takes some 1.5 KB of this process's own stack, several times as much with a sanitizer.
constexpr int most_runs = 500;
}  // namespace

struct HostThread::Impl {
  const Program& program;
  AddressSpace& memory;
  RunControl control;
  Exec x;
  HostState state;
  std::vector<AccessCount> access{1};

  Impl(const Program& p, AddressSpace& m, HostCalls& calls, const RunControl& c)
      : program(p), memory(m), control(c) {
    state.calls = &calls;
    state.program = &p;
    state.control = &control;
    state.stack = m.allocate(host_stack_bytes, Owner::host_stack, "host stack");
    if (!state.stack) {
      Diagnostic d;
      d.kind = FindingKind::host_error;
      d.message = "There is no memory for the host stack.";
      throw RunStopped(Status::crash, std::move(d));
    }
    state.stack->initialized = true;
    x.host = &state;
    x.memory = &m;
    x.program = &p;
    x.access = access.data();
    x.mask = x.live = 1;
    x.partial = 0;
    x.lanes[0] = -1;
  }

  std::vector<std::byte> run(uint32_t function, std::span<const std::byte> args) {
    const Code& code = program.code(function, true);
    Frame* caller = x.frame;
    if (state.runs >= most_runs) {
      Diagnostic d;
      d.kind = FindingKind::host_error;
      if (caller && state.at) d.where = host_place(x, state.at);
      d.message = fmt::format("The host stack overflowed: {} calls back within each other, the last of {}.",
                              state.runs, code.fn->demangled);
      throw RunStopped(Status::finding, std::move(d));
    }
    const uint64_t top = state.stack_top;
    const int depth = state.depth;
    Frame* f = nullptr;
    if (caller) {
      f = host_frame(x, code, state.at ? state.at : code.insts.data());
    } else {
      f = new_frame(x, code);
      f->lanes = 1;
      f->local_base = state.stack->base + state.stack_top;
      state.stack_top += (code.fn->local_bytes + 31) & ~uint64_t(31);
      ++state.depth;
      f->parent = nullptr;
    }
    f->call = nullptr;
    for (size_t i = 0; i < code.params.size(); ++i) {
      const ptx::Variable& v = code.fn->params[i];
      if (v.offset < args.size())
        copy_bytes(f->r + code.params[i].offset, args.data() + v.offset,
                   std::min<size_t>(v.bytes, args.size() - v.offset));
    }
    x.frame = f;
    x.r = f->r;
    x.access[0] = AccessCount{};
    state.returned = false;
    const Inst* p = code.insts.data();
    const Inst* at = state.at;
    // To where the call came from; the program is over or the callback's caller decides.
    const auto unwind = [&] {
      while (x.frame && x.frame != caller) pop_host_frame(x);
      state.stack_top = top;
      state.depth = depth;
      leave_run(state);
      --state.runs;
    };
    ++state.runs;
    while (p) try {
        while (p) p = p->fn[0](p, x);
      } catch (const HostThrow& thrown) {
        p = catch_thrown(x);
        if (p) continue;
        unwind();
        if (state.tries.empty()) thrown.uncaught();
        throw;
      } catch (...) {
        unwind();
        throw;
      }
    --state.runs;
    state.at = at;
    return state.result;
  }
};

HostThread::HostThread(const Program& p, AddressSpace& m, HostCalls& calls, const RunControl& c)
    : impl_(std::make_unique<Impl>(p, m, calls, c)) {}
HostThread::~HostThread() {
  if (impl_ && impl_->state.stack) impl_->memory.release(impl_->state.stack->base);
}

std::vector<std::byte> HostThread::call(const std::string& mangled, std::span<const std::byte> args) {
  const auto& names = impl_->program.module().function_by_name;
  auto it = names.find(mangled);
  if (it == names.end() || !impl_->program.module().functions[it->second].defined) {
    Diagnostic d;
    d.kind = FindingKind::host_error;
    d.message = "There is no host function " + mangled + ".";
    throw RunStopped(Status::finding, std::move(d));
  }
  return impl_->run(it->second, args);
}

std::vector<std::byte> HostThread::call(uint64_t address, std::span<const std::byte> args) {
  const ptx::Function* f = function_at(impl_->program, address);
  const auto refuse = [&](FindingKind kind, std::string message) {
    Diagnostic d;
    d.kind = kind;
    d.where = where();
    d.message = std::move(message);
    throw RunStopped(Status::finding, std::move(d));
  };
  if (!f || !f->defined)
    refuse(FindingKind::host_error,
           fmt::format("A call through the address 0x{:x}, where there is no function.", address));
  if (f->kernel) refuse(FindingKind::unsupported, calls_kernel(*f));
  return impl_->run(uint32_t(f - impl_->program.module().functions.data()), args);
}

uint64_t HostThread::executed() const { return impl_->state.executed; }
uint64_t HostThread::mapped_reads() const { return impl_->state.mapped_reads; }
SourceLoc HostThread::where() const {
  const Exec& x = impl_->x;
  if (!x.frame || !impl_->state.at) return {};
  return host_place(x, impl_->state.at);
}

}  // namespace dojo::simt
