#pragma once
// What it means that threads of a block ended without reaching a barrier, or lanes of a warp without coming
// to an operation (a shuffle, a vote, __syncwarp) at which others wait.
//
// From Volta on, a barrier waits only for threads that have not ended (CUDA C++ Programming Guide, section
// on Volta and __syncthreads(); an H100 runs such kernels to their end). A kernel that returns early is
// therefore valid. The guide leaves a __syncthreads() in a branch that only some threads take undefined,
// also where the others end and the hardware goes on. A warp operation likewise waits for those lanes of its
// mask that have not ended (PTX ISA, shfl.sync; a value read of an ended lane is a finding of its own).
// Compiled code looks the same in both cases, so the
// source decides: an own `return;` in the kernel means the first.
#include <string_view>

#include "core/types.hpp"

namespace dojo::run {

/// Whether threads can end by a `return;` before the barrier at `barrier_line`: one that stands earlier in
/// the same kernel, or in any kernel of the file if the barrier is in a function that a kernel calls.
bool returns_early(std::string_view source, int barrier_line);

/// Makes a "barrier_divergence" or "absent_lane" warning of ended threads an error with advice, or adds why
/// it is none. Other diagnostics stay as they are. `source` is the text of the student's file.
void judge_ended_threads(Diagnostic&, std::string_view source);

}  // namespace dojo::run
