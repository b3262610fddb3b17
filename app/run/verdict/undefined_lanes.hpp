#pragma once
// Shuffles from lanes that take no part. The CUDA guide calls the value undefined, not the operation: lanes 0
// to 7 may add up their values by offsets 4, 2 and 1, although lanes 4 to 7 read lanes 8 to 11. Lane 0's sum
// has nothing of those. Whether a result depends on such a value shows when it is a number that no sum,
// maximum or minimum hides.
#include <cstdint>
#include <vector>

#include "core/types.hpp"

namespace dojo::run {

/// The bits of such a value: in the run as the kernel is compiled the largest float, in the run as it is
/// `written` the smallest. As integers they are 2,139,095,039 and -8,388,609.
uint32_t undefined_lane_value(bool written);

/// Makes the warnings "undefined_lane" errors if the results are `wrong`; else they say that no result
/// depends on the value.
void judge_undefined_lanes(std::vector<Diagnostic>&, bool wrong);

}  // namespace dojo::run
