#pragma once
// How many low bits of a register are zero whenever it is read, as far as the PTX says. It tells where loads
// lie on 8 or 16 bytes, so that the assembler may join them.
//
// Example: shl.b32 %r2, %r1, 8; mov.u32 %r3, row (an array of shared memory at offset 512); add.s32 %r4, %r3,
// %r2: r2 has 8, r3 9 and r4 8.
#include <cstdint>
#include <vector>

#include "ptx/module.hpp"

namespace dojo::ptx {

/// Per register of the function: low bits that are zero, 0 to 63. A register with several writes has the
/// least of them.
std::vector<uint8_t> known_zeros(const Module&, const Function&);
/// The same for the address of a variable (a symbol or an address with a symbol as its base, its offset not
/// added).
uint8_t known_zeros_of_symbol(const Module&, const Function&, const Operand&);

}  // namespace dojo::ptx
