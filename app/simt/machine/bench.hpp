#pragma once
// How fast the machine is, on this computer: the figures of `warpdojo bench simt` (keys in docs/cli.md).
#include <map>
#include <string>

namespace dojo::simt {

/// Runs the benchmarks (about ten seconds) and returns the figures by key: warp instructions a second on one
/// core unless the key says otherwise. Compiles its kernels with NVRTC: throws Error where there is none. The
/// time-model figures (simt.reduce.model) are the caller's: they need a device.
std::map<std::string, double> bench_machine();

/// The kernel source of simt.reduce.*: block-256 sums of 2^20 floats in shared memory, sequential addressing.
const char* bench_reduce_source();

}  // namespace dojo::simt
