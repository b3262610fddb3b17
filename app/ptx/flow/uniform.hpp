#pragma once
// Which registers hold the same value in all lanes of a warp or all threads of a block, whatever the data:
// what a compiler can know of it.
#include <vector>

#include "ptx/module.hpp"

namespace dojo::ptx {

/// By register, among the lanes of a warp. A value is uniform if nothing that tells lanes apart (%tid,
/// %laneid, local memory, the result of an atomic, a parameter of a function that is called ...) goes into it
/// and no lane can have got it on another way than its neighbour: registers written in a stretch that a
/// divided warp may walk through are uniform only if that is their one write.
///
/// Among the threads of a block, votes and %warpid are differences, too. Local memory, and what goes into and
/// comes out of functions that are called, are none there: what is not seen to differ counts as uniform.
enum class Among { warp, block };
std::vector<bool> uniform_registers(const Function&, Among = Among::warp);

/// Do all threads of a block go round each loop that holds both instructions equally often, as far as is
/// seen? Then a barrier of the block can stand in it.
bool loops_together(const Function&, uint32_t one, uint32_t other);

/// True for an atomic of global memory whose additions (minima, maxima, ands, ors, exclusive ors) of 32-bit
/// and 64-bit integers ptxas joins to one a warp: the address is the same in all lanes. (Seen in its machine
/// code for sm_75 and sm_90: VOTEU and POPC or REDUX before the RED. Not for inc, dec, exch, cas, and not for
/// floating point.)
bool joined_in_warp(const Instruction&, const std::vector<bool>& uniform);

}  // namespace dojo::ptx
