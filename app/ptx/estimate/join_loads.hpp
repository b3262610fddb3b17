#pragma once
// Which loads ptxas leaves out or joins, by rule. A load from an address that was loaded before, with no
// store, barrier or atomic operation in between that could have changed it, is left out. Loads of shared
// memory from one base register whose bytes fill 8 or 16 aligned bytes become one.
//
// Example: ld.shared.f32 from [%rd1], [%rd1+4], [%rd1+8], [%rd1+12] and again [%rd1], where %rd1 is a
// multiple of 16: the first stands for all five and fetches 16 bytes per lane.
#include <vector>

#include "ptx/estimate/predication.hpp"

namespace dojo::ptx {

struct JoinedLoads {
  std::vector<int32_t> by;      ///< per instruction: the load that fetches its value instead, or -1
  std::vector<uint8_t> width;   ///< per instruction: bytes per lane of a load that fetches for others, else 0
  std::vector<uint32_t> holds;  ///< per register: the one that has its value where its load is left out
};

JoinedLoads join_loads(const Module&, const Function&, const Predicated&);

}  // namespace dojo::ptx
