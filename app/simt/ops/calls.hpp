#pragma once
// Calls and returns of device code, and the functions that it finds in the machine itself.
#include <algorithm>
#include <cstring>

#include "simt/state/exec.hpp"

namespace dojo::simt {

/// Kernel code of the frame returns, or its thread ends.
const Inst* exit_or_return(Exec&);
/// The thread ends, in whatever function it is.
const Inst* exit_lanes_checked(Exec&);
const Inst* call_function(const Inst* p, Exec&, uint32_t function);

/// One lane's call of a function that the machine has itself.
struct LaneCall {
  Exec& x;
  const CallSite& site;
  uint32_t lane;
  /// Argument `i`; zeros where the call has fewer arguments or bytes.
  template <class T = uint64_t>
  T argument(size_t i) const {
    T v{};
    if (i < site.args.size())
      std::memcpy(&v, x.r + site.args[i].offset + lane * site.args[i].stride,
                  std::min<size_t>(sizeof v, site.args[i].bytes));
    return v;
  }
  void result(uint64_t v) const {
    if (!site.results.empty())
      std::memcpy(x.r + site.results[0].offset + lane * site.results[0].stride, &v,
                  std::min<uint32_t>(8, site.results[0].bytes));
  }
};

}  // namespace dojo::simt
