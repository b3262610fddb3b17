#include "simt/ops/host_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/bytes.hpp"
#include "simt/ops/host_exceptions.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/frames.hpp"
#include "simt/state/host_state.hpp"

namespace dojo::simt {

const Inst* enter_host(const Inst* p, Exec& x) {
  HostState& h = *x.host;
  h.executed += p->imm;
  if (h.executed >= h.limit) [[unlikely]] {
    h.at = p;
    h.limit = h.executed + 1000000;
    const RunControl& control = *h.control;
    auto over = [&](const char* what, FindingKind kind = FindingKind::timeout) {
      throw RunStopped(Status::timeout, finding(x, p, kind, what, -1));
    };
    if (control.max_warp_instructions && h.executed + h.call_cost > control.max_warp_instructions * 32)
      over("Host code was stopped at its limit of executed instructions. Check that its loop ends.");
    if (control.max_seconds > 0 && processor_seconds() - h.start > control.max_seconds)
      over("Host code was stopped at its time limit. Check that its loop ends.", FindingKind::time_limit);
    if (control.cancelled && control.cancelled()) over("The run was cancelled.");
  }
  return p + 1;
}

namespace {

/// What a call of the CUDA runtime, and one of the C library, count for in the limit of host instructions:
/// about as long as they take. A flood of calls so ends at the same call on every machine.
constexpr uint64_t runtime_call = 16000, library_call = 1000;

}  // namespace

Frame* host_frame(Exec& x, const Code& code, const Inst* p) {
  HostState& h = *x.host;
  const uint64_t bytes = (code.fn->local_bytes + 31) & ~uint64_t(31);
  if (h.depth > 20000 || h.stack_top + bytes > h.stack->size)
    throw RunStopped(Status::finding, finding(x, p, FindingKind::host_error,
                                              fmt::format("The host stack overflowed: {} calls deep in {}.",
                                                          h.depth, code.fn->demangled),
                                              -1));
  Frame* f = new_frame(x, code);
  f->parent = x.frame;
  f->call = p;
  f->lanes = 1;
  f->local_base = h.stack->base + h.stack_top;
  h.stack_top += bytes;
  ++h.depth;
  if (code.zero_bytes) std::memset(f->r + code.zero_at, 0, code.zero_bytes);
  return f;
}
void pop_host_frame(Exec& x) {
  HostState& h = *x.host;
  Frame* f = x.frame;
  h.stack_top = f->local_base - h.stack->base;
  --h.depth;
  x.frame = f->parent;
  x.r = x.frame ? x.frame->r : nullptr;
  drop_frame(x, f);
}

std::string calls_kernel(const ptx::Function& kernel) {
  return fmt::format("Host code calls the kernel {} as a function. Launch it with <<<...>>>.",
                     kernel.demangled);
}

const Inst* host_call(const Inst* p, Exec& x, uint32_t function) {
  HostState& h = *x.host;
  const ptx::Function& callee = x.program->module().functions[function];
  const CallSite& site = x.frame->code->calls[size_t(p->target)];
  h.at = p;
  if (callee.kernel)
    throw RunStopped(Status::finding, finding(x, p, FindingKind::unsupported, calls_kernel(callee), -1));
  if (callee.defined) {
    const Code& code = x.program->code(function, true);
    Frame* f = host_frame(x, code, p);
    for (size_t i = 0; i < site.args.size() && i < code.params.size(); ++i)
      std::memcpy(f->r + code.params[i].offset, x.r + site.args[i].offset,
                  std::min(site.args[i].bytes, code.params[i].bytes));
    x.frame = f;
    x.r = f->r;
    return code.insts.data();
  }
  if (callee.name.starts_with("__dojo_") && exception_call(callee.name, site, p, x)) return p + 1;
  const bool runtime = callee.name.starts_with("cuda") || callee.name.starts_with("__cuda");
  const uint64_t cost = runtime ? runtime_call : library_call;
  h.call_cost += cost;
  h.limit -= std::min(h.limit, cost);
  // External: the parameter block as the declaration lays it out.
  std::vector<std::byte> args(callee.param_bytes);
  for (size_t i = 0; i < site.args.size() && i < callee.params.size(); ++i) {
    const ptx::Variable& v = callee.params[i];
    copy_bytes(args.data() + v.offset, x.r + site.args[i].offset,
               std::min<uint64_t>(site.args[i].bytes, v.bytes));
  }
  std::vector<std::byte> result(callee.returns.empty() ? 0 : callee.returns[0].bytes);
  Frame* frame = x.frame;
  h.calls->caller = frame->code->fn;
  h.calls->caller_at = p->ptx;
  h.calls->call(callee, args, result, host_place(x, p));
  // The call may have freed memory, or run host code itself.
  x.access[0] = AccessCount{};
  x.frame = frame;
  x.r = frame->r;
  if (!site.results.empty() && !result.empty())
    copy_bytes(x.r + site.results[0].offset, result.data(),
               std::min<size_t>(site.results[0].bytes, result.size()));
  return p + 1;
}

const Inst* host_return(Exec& x) {
  Frame* f = x.frame;
  const Code& code = *f->code;
  HostState& h = *x.host;
  if (!f->call) {
    h.result.clear();
    if (!code.results.empty())
      h.result.assign(f->r + code.results[0].offset, f->r + code.results[0].offset + code.results[0].bytes);
    h.returned = true;
    pop_host_frame(x);
    return nullptr;
  }
  const Inst* call = f->call;
  const CallSite& site = f->parent->code->calls[size_t(call->target)];
  for (size_t i = 0; i < site.results.size() && i < code.results.size(); ++i)
    std::memcpy(f->parent->r + site.results[i].offset, f->r + code.results[i].offset,
                std::min(site.results[i].bytes, code.results[i].bytes));
  pop_host_frame(x);
  return call + 1;
}

}  // namespace dojo::simt
