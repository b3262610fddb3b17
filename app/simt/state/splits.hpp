#pragma once
// Splits of a warp: lanes that run together. They part at branches and meet again at post-dominators, behind
// calls, and where an instruction needs them all.
#include "simt/state/exec.hpp"

namespace dojo::simt {

/// Lanes of `taken` go to `taken_to`, the others of the running split to `fall_to`; all meet at `meet`.
const Inst* diverge(const Inst* p, Exec&, uint32_t taken, const Inst* taken_to, const Inst* fall_to,
                    const Inst* meet);
/// The running lanes come to p, where they meet others. Null: they wait there.
const Inst* reconverge(const Inst* p, Exec&);
/// Lanes of the running split end.
const Inst* exit_lanes(Exec&);
/// Suspends the running split at `p` (executed again, or behind it, when it goes on).
const Inst* suspend(const Inst* p, Exec&, Wait);
/// True when the lanes in `need` are all here; else suspends (returns false: handler must return null).
bool gather_lanes(const Inst* p, Exec&, uint32_t need);
void load_conv(Exec&);
void load_split(Exec&, Warp&, int split);
/// Lets a warp that is stuck go on by giving up a meeting point. True when a split became ready.
bool loosen(Exec&, Warp&);
const Inst* call_device(const Inst* p, Exec&, const Code& callee, const CallSite& site);
const Inst* return_lanes(const Inst* p, Exec&);

}  // namespace dojo::simt
