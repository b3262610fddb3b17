#pragma once
// Bounds that hold for every step, whatever its gates: a solution takes at most ten times the reference's
// modelled time, and leaves the work to kernels. A step whose subject is copies or host code lifts them with
// `unbounded = ["copies"]` in lab.toml.
//   time    time_us and end_to_end_us: at most 10 times the reference's, and 20 (200) us on top
//   host    host_instructions: at most 8 times the reference's and 4000 on top; api_calls: 4 times and 64
//           host_work_on_results, where host code may read what kernels stored (working.hpp):
//           host_instructions less 20 per call and 20 per working launch, at most the reference's and 96 on
//           top
//   copies  copies: at most twice the reference's and 4 on top; copied_bytes: twice and 4096
//   paths   in steps with a gate on global loads or stores, which textures and atomics would pass by:
//           texture_requests, surface_reads: at most twice the reference's and 64 on top; global_atomics:
//           4 times and 64, or a quarter of the reference's global requests. A gate of the step that bounds
//           the same counter from above takes the bound's place.
// The work floor (work_floor.hpp) comes first: no step lifts it.
#include <vector>

#include "core/labs/lab.hpp"
#include "core/report.hpp"

namespace dojo::run {

/// How the names of these gates begin.
inline constexpr const char* default_bound = "default: ";

/// The default bounds that a run with right results breaks, as failed gates. `reference`: the step's
/// reference on the same device, size and seed. Of measured runs only the work floor is judged.
std::vector<GateReport> broken_bounds(const Step&, const RunReport& run, const RunReport& reference);

/// Has a gate of the step failed that bounds the same counter? Then a student need not read of both.
bool said_by_a_gate(const GateReport& broken, const RunReport&);

/// Is a gate report one of these?
bool is_default_bound(const GateReport&);

}  // namespace dojo::run
