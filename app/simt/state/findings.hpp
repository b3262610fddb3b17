#pragma once
// Findings: the place, the kernel, the block and thread of what is wrong; and accesses that a GPU faults on.
#include "simt/state/exec.hpp"

namespace dojo::simt {

/// The diagnostic's frame: place, kernel, block and thread of a lane (lane < 0: none).
Diagnostic finding(const Exec&, const Inst*, FindingKind, std::string message, int lane);
/// Reports a finding; the run goes on.
void emit(Exec&, Diagnostic);
[[noreturn]] void stop(Exec&, Diagnostic);
SourceLoc place_of(const Program&, uint32_t function, uint32_t ptx);
/// The line of the program that host code is at. Where a function of our headers was not inlined, or an
/// instruction has no line, that of the caller.
SourceLoc host_place(const Exec&, const Inst*);
Dim3 thread_of(const Exec&, uint32_t linear);
/// Is an instruction a library's own (CUB, the C++ library, cooperative groups)? They load words past what
/// they wrote where the value doesn't matter.
bool in_library(const Exec&, const Inst*);
/// What is wrong with an access; ends the run.
[[noreturn]] void bad_access(Exec&, const Inst*, uint64_t address, uint32_t bytes, uint32_t lane, bool write,
                             ptx::Space);

}  // namespace dojo::simt
