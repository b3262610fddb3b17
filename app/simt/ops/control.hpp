#pragma once
// Handlers that belong to no instruction of PTX: entering blocks, predicated instructions, ends.
#include "simt/decode/program.hpp"

namespace dojo::simt {

const Inst* enter_device(const Inst*, Exec&);
/// A place where lanes meet inside a block.
const Inst* enter_nothing(const Inst*, Exec&);
/// Behind an inner instruction of a predicated one.
const Inst* run_end(const Inst*, Exec&);
const Inst* run_guarded(const Inst*, Exec&);
const Inst* run_guard_branch(const Inst*, Exec&);
const Inst* run_unsupported(const Inst*, Exec&);
/// Behind a function's last block.
const Inst* run_fall_off(const Inst*, Exec&);

}  // namespace dojo::simt
