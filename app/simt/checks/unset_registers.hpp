#pragma once
// Uses of variables that have no value yet and that the compiler keeps in registers. In code compiled as
// written, such registers start with unset_value(). The decoder places a check in front of each instruction
// that computes with one of them, or with a copy: `int later; ++later;` shows at the `++`. In host code the
// run ends there.
#include "simt/decode/program.hpp"

namespace dojo::simt {

/// The handler behind InstructionSet::check_set. Inst::a: the register; Inst::width: its bytes.
const Inst* check_set(const Inst*, Exec&);

}  // namespace dojo::simt
