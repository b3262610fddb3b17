#pragma once
// Which loops ptxas unrolls by four, by rule: loops of one block without a .pragma "nounroll", whose counter
// takes a constant step to a bound, with at most 39 machine instructions per round, and without barriers,
// votes, shuffles, atomic operations or calls. Of 218 such blocks in the labs' references the rule is right
// for all but three; the three, whose number of rounds is a constant, are longer.
//
// Rounds left over of four run as two and as one.
#include "ptx/module.hpp"

namespace dojo::ptx {

inline constexpr int rounds_at_a_time = 4;
inline constexpr size_t longest_unrolled = 39;  ///< machine instructions per round
/// Before such a loop: how many rounds are left, and which copy takes them. Most of 64 loops have 8 or 9.
inline constexpr int instructions_before_unrolled = 9;

/// True for a loop that is unrolled if its rounds are short enough.
bool can_unroll(const Function&, uint32_t block);
/// Instructions of such a loop that stand once per four rounds: the branch, its comparison, and steps that
/// addresses take up as offsets.
std::vector<bool> once_per_turn(const Function&, uint32_t block);

}  // namespace dojo::ptx
