#pragma once
// The source's variables in the registers of an optimised block: the compiler says of them only in code that
// is compiled as written. The same block is recorded twice; a register is named after the variable whose
// values it took, mostly at the variable's own lines, in every lane.
#include "core/step_trace.hpp"

namespace dojo {

/// Sets Register::variable in `to` where exactly one variable of `as_written` fits. What has a name keeps it.
/// Example: line 6 writes 32 lanes of `i` as written, and one register at line 6 in optimised code gets these
/// 32 values: it holds `i`. A second variable with the same values at the same lines leaves it unnamed.
void name_registers(StepTrace& to, const StepTrace& as_written);

/// Seconds of computing that the second recording may take: without it there are no names, which is no loss
/// worth a long wait.
constexpr double naming_seconds = 5;
/// Makes `ask` ask for the block of `recorded`, in code that is compiled as written: it has several
/// instructions for one.
void ask_for_same(StepTrace& ask, const StepTrace& recorded);

}  // namespace dojo
