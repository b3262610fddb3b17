#pragma once
// Atomic operations on a word, and decoding that atom and red share.
#include "simt/ops/ops.hpp"

namespace dojo::simt {

enum AtomicOp : uint8_t {
  a_add,
  a_min,
  a_max,
  a_inc,
  a_dec,
  a_and,
  a_or,
  a_xor,
  a_exch,
  a_cas,
  a_add_global
};

/// add in global memory, where the L2 cache adds: small floats are flushed to zero, NaNs of doubles kept as
/// they are (seen on an H100; in shared memory a loop of ordinary additions does it).
inline AtomicOp in_global(AtomicOp op) { return op == a_add ? a_add_global : op; }
/// The new value of a word under an atomic operation (cas: to c where it held b).
uint64_t atomic_result(AtomicOp, ptx::Type, uint64_t old, uint64_t b, uint64_t c);
/// The operation an opcode names; refuses others.
AtomicOp atomic_operation(Decoder&);
/// An operation whose result is unused, for the block's turn: floats are added in block order.
void log_red(Exec&, const Block::RedLog&);
void apply_red(std::byte* at, const Block::RedLog&);
/// .v2, .v4 and .v8 forms of atom and red on global memory.
void decode_vector_atomic(Decoder&);
/// atom.exch and atom.cas on 128 bits.
void decode_wide_atomic(Decoder&);

}  // namespace dojo::simt
