#pragma once
// Splits of a warp: lanes that run together. They part at branches and meet again at post-dominators, behind
// calls, and where an instruction needs them all.
#include "simt/state/exec.hpp"

namespace dojo::simt {

/// Lanes of `taken` go to `taken_to`, the others of the running split to `fall_to`; all meet at `meet`.
const Inst* diverge(const Inst* p, Exec&, uint32_t taken, const Inst* taken_to, const Inst* fall_to,
                    const Inst* meet);
/// The running lanes will meet at `meet`, unless they already do or it is null.
void open_meeting(Exec&, const Inst* meet);
/// `lanes` of the running split wait at `body`, the others go on to `next`, where more conditions decide who
/// comes to the body, too.
const Inst* await_conditions(Exec&, uint32_t lanes, const Inst* body, const Inst* next);
/// Would the running lanes meet others at one of these blocks?
bool meets_at(const Exec&, const std::vector<uint32_t>& blocks);
/// `lanes` of the running split go to `to` and give up meetings at these blocks; they meet others at `meet`
/// (null: nowhere). False: no lanes are left in the running split, which is gone.
bool give_up_meetings(Exec&, uint32_t lanes, const Inst* to, const std::vector<uint32_t>& blocks,
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
