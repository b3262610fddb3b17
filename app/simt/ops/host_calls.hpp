#pragma once
// Host code: entering its blocks, its calls and returns, on one lane.
#include <string>

#include "simt/state/exec.hpp"

namespace dojo::simt {

const Inst* enter_host(const Inst*, Exec&);
/// Calls a function of the module, or one that it leaves external (HostCalls).
const Inst* host_call(const Inst* p, Exec&, uint32_t function);
const Inst* host_return(Exec&);
/// The words of a finding: host code calls a kernel, by its name or by its address.
std::string calls_kernel(const ptx::Function& kernel);
/// A frame on the host's stack, for a call at `p`.
Frame* host_frame(Exec&, const Code&, const Inst* p);
/// Takes the innermost frame off the host's stack.
void pop_host_frame(Exec&);

/// Bytes of the host's stack.
inline constexpr uint64_t host_stack_bytes = uint64_t(64) << 20;

}  // namespace dojo::simt
