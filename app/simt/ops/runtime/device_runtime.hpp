#pragma once
// The calls that device code makes of CUDA's device runtime.
#include "simt/state/exec.hpp"

namespace dojo::simt {

/// Answers a call of the device runtime for the lanes that run. False: it is none, or one that is not there.
bool call_device_runtime(const Inst* p, Exec&, const ptx::Function& callee, const CallSite&);

}  // namespace dojo::simt
