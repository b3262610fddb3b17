#pragma once
// Whether a change kept every report as it was, to the bit: `warpdojo bench frozen`.
//
// Every reference runs at the sizes that the recording of an H100 has, on two modelled GPUs, and each report
// is hashed as JSON, with lines and blocks. Wall-clock fields are left out. Run it before and after a change
// that must not be seen, and compare the two outputs with diff.

namespace dojo::run {

/// Makes it known as the bench family "frozen". Its table has one row per run, `HASH DEVICE STEP SIZE`; its
/// figures are the number of runs and, as `frozen.hash`, the low 48 bits of the hash of all rows.
void register_frozen_bench();

}  // namespace dojo::run
