#pragma once
// Exceptions of host code: try blocks, handlers, and variables whose destructors run when an exception leaves
// their block (core/compile/own/handlers.hpp, shims/dojo_throw.hpp).
#include <string_view>

#include "simt/state/exec.hpp"
#include "simt/state/host_state.hpp"

namespace dojo::simt {

/// Answers a call at `p`, if it is one of those that keep these lists.
bool exception_call(std::string_view name, const CallSite&, const Inst* p, Exec&);
/// After a HostThrow: goes back to the innermost try block, where it belongs to the innermost run of host
/// code. Returns where host code goes on; null: there is no such block.
const Inst* catch_thrown(Exec&);
/// Drops what belongs to the innermost run of host code.
void leave_run(HostState&);

}  // namespace dojo::simt
