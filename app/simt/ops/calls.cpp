// Calls and returns, and the functions that device code finds in the machine itself.
#include <fmt/format.h>

#include <algorithm>

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

/// Formats a printf from its argument block. `arg` reads bytes of the block (false: it has no more); `text`
/// reads a zero-terminated string.
std::string format_printf(const std::string& format, const std::function<bool(uint64_t, void*, size_t)>& arg,
                          const std::function<std::string(uint64_t)>& text) {
  std::string out;
  uint64_t at = 0;
  auto fetch = [&](void* to, size_t n) {
    at = (at + n - 1) / n * n;
    bool ok = arg(at, to, n);
    at += n;
    return ok;
  };
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out += format[i];
      continue;
    }
    if (i + 1 < format.size() && format[i + 1] == '%') {
      out += '%';
      ++i;
      continue;
    }
    std::string spec = "%";
    size_t k = i + 1;
    int longs = 0;
    bool sized = false;
    for (; k < format.size(); ++k) {
      char c = format[k];
      if (c == '*') {
        int32_t v = 0;
        fetch(&v, 4);
        spec += std::to_string(v);
        continue;
      }
      if (c == 'l') {
        ++longs;
        continue;
      }
      if (c == 'z' || c == 't' || c == 'j') {
        longs = 2;
        continue;
      }
      if (c == 'h') {
        sized = true;
        spec += c;
        continue;
      }
      if (std::string("-+ #0123456789.").find(c) == std::string::npos) break;
      spec += c;
    }
    if (k >= format.size()) {
      out += format.substr(i);
      break;
    }
    (void)sized;
    const char conversion = format[k];
    char buffer[512];
    spec = bounded_print_spec(spec, int(sizeof buffer) - 1);
    int n = 0;
    switch (conversion) {
      case 'd':
      case 'i': {
        if (longs) {
          int64_t v = 0;
          fetch(&v, 8);
          n = std::snprintf(buffer, sizeof buffer, (spec + "lld").c_str(), static_cast<long long>(v));
        } else {
          int32_t v = 0;
          fetch(&v, 4);
          n = std::snprintf(buffer, sizeof buffer, (spec + conversion).c_str(), v);
        }
        break;
      }
      case 'u':
      case 'x':
      case 'X':
      case 'o': {
        if (longs) {
          uint64_t v = 0;
          fetch(&v, 8);
          n = std::snprintf(buffer, sizeof buffer, (spec + "ll" + conversion).c_str(),
                            static_cast<unsigned long long>(v));
        } else {
          uint32_t v = 0;
          fetch(&v, 4);
          n = std::snprintf(buffer, sizeof buffer, (spec + conversion).c_str(), v);
        }
        break;
      }
      case 'c': {
        int32_t v = 0;
        fetch(&v, 4);
        n = std::snprintf(buffer, sizeof buffer, (spec + 'c').c_str(), v);
        break;
      }
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A': {
        double v = 0;
        fetch(&v, 8);
        n = std::snprintf(buffer, sizeof buffer, (spec + conversion).c_str(), v);
        break;
      }
      case 'p': {
        uint64_t v = 0;
        fetch(&v, 8);
        n = std::snprintf(buffer, sizeof buffer, "0x%llx", static_cast<unsigned long long>(v));
        break;
      }
      case 's': {
        uint64_t v = 0;
        fetch(&v, 8);
        std::string s = v ? text(v) : "(null)";
        if (spec == "%") {
          out += s;
        } else {
          std::vector<char> big(s.size() + 1024);
          int m = std::snprintf(big.data(), big.size(), (spec + 's').c_str(), s.c_str());
          if (m > 0) out.append(big.data(), std::min<size_t>(size_t(m), big.size() - 1));
        }
        break;
      }
      default:
        out += format.substr(i, k - i + 1);
        break;
    }
    if (n > 0) out.append(buffer, std::min<size_t>(size_t(n), sizeof buffer - 1));
    i = k;
  }
  return out;
}

/// Functions that the machine itself provides: vprintf, __assertfail, malloc, free. False: not one of them.
bool call_builtin(const Inst* p, Exec& x, const ptx::Function& callee, const CallSite& site) {
  if (callee.name == "vprintf") {
    x.polled += 500;  // in the limit of instructions: formatting takes as long
    DOJO_FOR_LANES(l, x.mask) {
      const std::string format = lane_string(x, l, LaneCall{x, site, l}.argument(0));
      const uint64_t args = LaneCall{x, site, l}.argument(1);
      std::string text = format_printf(
          format,
          [&](uint64_t at, void* to, size_t n) {
            std::byte* from = lane_bytes(x, l, args + at, n);
            if (from) std::memcpy(to, from, n);
            return from != nullptr;
          },
          [&](uint64_t address) {
            if (lane_bytes(x, l, address, 1)) return lane_string(x, l, address);
            throw RunStopped(Status::finding,
                             finding(x, p, "out_of_bounds",
                                     "printf's %s reads a text at " + x.memory->describe(address) +
                                         ". Pass a pointer to a text of the device.",
                                     int(l)));
          });
      LaneCall{x, site, l}.result(text.size());
      if (x.block->printed.size() < print_limit) x.block->printed += text;
    }
    return true;
  }
  if (callee.name == "__assertfail") {
    const uint32_t l = uint32_t(std::countr_zero(x.mask));
    const std::string what = lane_string(x, l, LaneCall{x, site, l}.argument(0));
    const std::string function = lane_string(x, l, LaneCall{x, site, l}.argument(3));
    throw RunStopped(Status::finding, finding(x, p, "assert",
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
        emit(x, finding(x, p, "out_of_bounds",
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
        finding(x, p, "unsupported",
                fmt::format("Device code calls {}, which is not defined in this file.", callee.demangled),
                std::countr_zero(x.mask)));
  }
  if (callee.kernel)
    throw RunStopped(
        Status::finding,
        finding(x, p, "unsupported", "Device code calls a kernel as a function.", std::countr_zero(x.mask)));
  int depth = 0;
  for (Frame* f = x.frame; f; f = f->parent) ++depth;
  if (depth > 2000 || x.frame->local_base > (1u << 20))
    throw RunStopped(Status::finding, finding(x, p, "trap",
                                              fmt::format("The stack overflowed: {} is {} calls deep.",
                                                          callee.demangled, depth),
                                              std::countr_zero(x.mask)));
  return call_device(p, x, x.program->code(function, false), site);
}

std::string bounded_print_spec(const std::string& spec, int most) {
  std::string out;
  for (size_t i = 0; i < spec.size();) {
    if (spec[i] < '0' || spec[i] > '9') {
      out += spec[i++];
      continue;
    }
    for (; i < spec.size() && spec[i] == '0'; ++i) out += '0';  // a flag, or a number of its own
    int n = 0;
    const size_t first = i;
    for (; i < spec.size() && spec[i] >= '0' && spec[i] <= '9'; ++i)
      n = std::min(n * 10 + (spec[i] - '0'), most);
    if (i > first) out += std::to_string(n);
  }
  return out;
}

}  // namespace dojo::simt
