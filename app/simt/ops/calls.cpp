// Calls and returns, and the functions that device code finds in the machine itself.
#include <fmt/format.h>

#include <algorithm>

#include "core/collections/rounding.hpp"
#include "core/text/format_printf.hpp"
#include "simt/ops/calls.hpp"
#include "simt/ops/host_calls.hpp"
#include "simt/ops/runtime/device_runtime.hpp"
#include "simt/state/access.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/splits.hpp"
#include "simt/state/supervisor.hpp"

namespace dojo::simt {

const Inst* exit_or_return(Exec& x) {
  if (x.host) return host_return(x);
  if (x.frame->parent) return return_lanes(nullptr, x);
  return exit_lanes_checked(x);
}

const Inst* exit_lanes_checked(Exec& x) {
  if (x.host) return host_return(x);
  return exit_lanes(x);
}

namespace {

/// Device-side printf prints at most this much a launch, as the real one's buffer.
constexpr size_t print_limit = 1 << 20;

/// The argument block that NVCC passes to vprintf, of one lane. Arguments that are missing count as zero.
class LaneArguments final : public PrintfArguments {
 public:
  LaneArguments(Exec& x, const Inst* p, uint32_t lane, uint64_t at) : x_(x), p_(p), lane_(lane), at_(at) {}
  uint64_t next(unsigned bytes) override {
    ++count_;
    at_ = round_up(at_, bytes);
    uint64_t v = 0;
    if (const std::byte* from = lane_bytes(x_, lane_, at_, bytes)) std::memcpy(&v, from, bytes);
    at_ += bytes;
    return v;
  }
  std::string text(uint64_t address, uint64_t most) override {
    if (most == 0) return {};
    if (lane_bytes(x_, lane_, address, 1)) return lane_string(x_, lane_, address, most);
    throw RunStopped(Status::finding, finding(x_, p_, FindingKind::out_of_bounds,
                                              "printf's %s reads a text at " + x_.memory->describe(address) +
                                                  ". Pass a pointer to a text of the device.",
                                              int(lane_)));
  }

  uint64_t count() const { return count_; }

 private:
  Exec& x_;
  const Inst* p_;
  uint32_t lane_;
  uint64_t at_, count_ = 0;
};

/// The first conversion whose length word a kernel's printf does not have, such as "%zu"; else empty. CUDA
/// C++ Programming Guide, "Format Specifiers": h, l and ll. An H100 (CUDA 13.0) reads 4 bytes for z, t and j,
/// and the arguments behind it from wrong places.
std::string without_length(const std::string& format) {
  for (size_t at = 0; (at = format.find('%', at)) != std::string::npos; ++at) {
    size_t end = format.find_first_not_of("-+ #0123456789.*", at + 1);
    if (end == std::string::npos) break;
    if (std::string("ztj").find(format[end]) != std::string::npos && end + 1 < format.size())
      return format.substr(at, end + 2 - at);
    at = end;  // of "%%" the second
  }
  return {};
}

/// vprintf of all lanes; the result is the number of arguments that were printed, as CUDA's printf says.
void print_lanes(const Inst* p, Exec& x, const CallSite& site) {
  x.polled += 500;  // in the limit of instructions: formatting takes as long
  DOJO_FOR_LANES(l, x.mask) {
    const std::string format = lane_string(x, l, LaneCall{x, site, l}.argument(0));
    if (const std::string wrong = without_length(format); !wrong.empty()) {
      Diagnostic d = finding(x, p, FindingKind::unsupported,
                             "printf in a kernel has no " + wrong +
                                 ": a GPU reads 4 bytes for it, and later arguments from wrong "
                                 "places. Cast the argument to long long and print it with %lld.",
                             int(l));
      d.severity = Severity::warning;
      emit(x, std::move(d));
    }
    LaneArguments arguments(x, p, l, LaneCall{x, site, l}.argument(1));
    const std::string text = format_printf(format, arguments);
    x.polled += text.size() / 16;  // as are wide fields
    LaneCall{x, site, l}.result(arguments.count());
    if (x.block->printed.size() < print_limit) x.block->printed += text;
  }
}

/// Functions that the machine itself provides: vprintf, __assertfail, malloc, free. False: not one of them.
bool call_builtin(const Inst* p, Exec& x, const ptx::Function& callee, const CallSite& site) {
  if (callee.name == "vprintf") {
    print_lanes(p, x, site);
    return true;
  }
  if (callee.name == "__assertfail") {
    const uint32_t l = uint32_t(std::countr_zero(x.mask));
    const std::string what = lane_string(x, l, LaneCall{x, site, l}.argument(0));
    const std::string function = lane_string(x, l, LaneCall{x, site, l}.argument(3));
    throw RunStopped(Status::finding, finding(x, p, FindingKind::assert,
                                              fmt::format("Assertion `{}` failed{}.", what,
                                                          function.empty() ? "" : " in " + function),
                                              int(l)));
  }
  if (callee.name == "malloc") {
    DOJO_FOR_LANES(l, x.mask) {
      Region* r = x.memory->allocate(LaneCall{x, site, l}.argument(0), Owner::device, "malloc in a kernel",
                                     place_of(*x.program, x.frame->code->index, p->ptx));
      LaneCall{x, site, l}.result(r ? r->base : 0);
    }
    return true;
  }
  if (callee.name == "free") {
    DOJO_FOR_LANES(l, x.mask) {
      uint64_t a = LaneCall{x, site, l}.argument(0);
      if (a && !x.memory->release(a, place_of(*x.program, x.frame->code->index, p->ptx)))
        emit(x, finding(x, p, FindingKind::out_of_bounds,
                        "free() of " + x.memory->describe(a) + ", which is no allocation.", int(l)));
    }
    return true;
  }
  return false;
}

}  // namespace

const Inst* call_function(const Inst* p, Exec& x, uint32_t function) {
  if (x.host) return host_call(p, x, function);
  const ptx::Function& callee = x.program->module().functions[function];
  const CallSite& site = x.frame->code->calls[size_t(p->target)];
  if (!callee.defined) {
    if (call_builtin(p, x, callee, site) || call_device_runtime(p, x, callee, site)) return p + 1;
    throw RunStopped(
        Status::finding,
        finding(x, p, FindingKind::unsupported,
                fmt::format("Device code calls {}, which is not defined in this file.", callee.demangled),
                std::countr_zero(x.mask)));
  }
  if (callee.kernel)
    throw RunStopped(Status::finding,
                     finding(x, p, FindingKind::unsupported, "Device code calls a kernel as a function.",
                             std::countr_zero(x.mask)));
  int depth = 0;
  for (Frame* f = x.frame; f; f = f->parent) ++depth;
  if (depth > 2000 || x.frame->local_base > (1u << 20))
    throw RunStopped(Status::finding, finding(x, p, FindingKind::trap,
                                              fmt::format("The stack overflowed: {} is {} calls deep.",
                                                          callee.demangled, depth),
                                              std::countr_zero(x.mask)));
  return call_device(p, x, x.program->code(function, false), site);
}

}  // namespace dojo::simt
