#pragma once
// Which registers hold the same value in all lanes of a warp, whatever the data: what a compiler can know of
// it.
#include <vector>

#include "ptx/module.hpp"

namespace dojo::ptx {

/// By register. A value is uniform if nothing that tells lanes apart (%tid, %laneid, local memory, the result
/// of an atomic, a parameter of a function that is called ...) goes into it and no lane can have got it on
/// another way than its neighbour: registers written in a stretch that a divided warp may walk through are
/// uniform only if that is their one write.
std::vector<bool> uniform_registers(const Function&);

/// True for an atomic of global memory whose additions (minima, maxima, ands, ors, exclusive ors) of 32-bit
/// and 64-bit integers ptxas joins to one a warp: the address is the same in all lanes. (Seen in its machine
/// code for sm_75 and sm_90: VOTEU and POPC or REDUX before the RED. Not for inc, dec, exch, cas, and not for
/// floating point.)
bool joined_in_warp(const Instruction&, const std::vector<bool>& uniform);

}  // namespace dojo::ptx
