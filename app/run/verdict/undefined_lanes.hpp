#pragma once
// Shuffles from lanes that take no part. The CUDA guide calls the value undefined, not the operation: lanes 0
// to 7 may add up their values by offsets 4, 2 and 1, although lanes 4 to 7 read lanes 8 to 11. Lane 0's sum
// has nothing of those. Whether a result depends on such a value shows when it is a number that no sum,
// maximum or minimum hides.
#include <vector>

#include "core/device.hpp"

namespace dojo::run {

/// The value: in the run as the kernel is compiled the largest float, which no sum and no maximum hides. In
/// the run as it is `written` odd lanes get the lowest float (-FLT_MAX), which no minimum hides, and even
/// lanes their own value, which equals what it is compared with. As integers the two are 2,139,095,039 and
/// -8,388,609.
RunControl::UndefinedLane undefined_lane_value(bool written);

/// Makes the warnings "undefined_lane" errors if the program goes `wrong`, for whatever reason: which one is
/// not told apart. Else they say that no result depends on the value.
void judge_undefined_lanes(std::vector<Diagnostic>&, bool wrong);

}  // namespace dojo::run
