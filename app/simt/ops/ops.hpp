#pragma once
// The families of instructions, one function per file of this room. A family says which opcodes and types it
// takes and decodes them to handlers; a handler runs 32 lanes (all, some) or one (host code). Handlers change
// registers and memory, ask the checks, and count; they know nothing of launches, residency or time.
#include <span>

#include "simt/decode/decoder.hpp"
#include "simt/state/exec.hpp"

namespace dojo::simt {

std::span<const Family> integer_families();
std::span<const Family> division_families();
std::span<const Family> bit_families();
std::span<const Family> stack_families();
std::span<const Family> packed_families();
std::span<const Family> float_families();
std::span<const Family> approx_families();
std::span<const Family> half_families();
std::span<const Family> convert_families();
std::span<const Family> compare_families();
std::span<const Family> move_families();
std::span<const Family> memory_families();
std::span<const Family> atomic_families();
std::span<const Family> warp_families();
std::span<const Family> barrier_families();
std::span<const Family> control_families();
std::span<const Family> tensor_families();
std::span<const Family> async_families();
std::span<const Family> mbarrier_families();
std::span<const Family> cluster_families();
/// mapa where blocks of a cluster are alone (DeviceModel::alone).
const Family& mapa_alone();
std::span<const Family> fence_families();
std::span<const Family> texture_families();
std::span<const Family> surface_families();

}  // namespace dojo::simt
