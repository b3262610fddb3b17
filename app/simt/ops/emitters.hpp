#pragma once
// What families emit for each other and for the decoder: operands that take instructions of their own, and
// forms of one opcode that live in another file.
#include <string>

#include "simt/decode/decoder.hpp"
#include "simt/ops/arithmetic/rounding.hpp"

namespace dojo::simt {

/// A special register (%tid.x, %clock) into `dst`.
void decode_special(Decoder&, const std::string& name, uint32_t dst, ptx::Type);
void decode_local_address(Decoder&, uint64_t offset, uint32_t dst);
void decode_dynamic_shared(Decoder&, uint64_t offset, uint32_t dst);
void decode_param_address(Decoder&, const ptx::Operand&, uint64_t offset, uint32_t dst);
void decode_param_to_stack(Decoder&, size_t param, uint64_t offset);
/// 32 bits to 64 or back.
void decode_resize(Decoder&, uint32_t dst, uint32_t src, bool from_wide);
void decode_not_pred(Decoder&, uint32_t dst, uint32_t src);

/// Integer operations on two halves of 16 bits.
void decode_packed_integer(Decoder&);
/// cvt.pack
void decode_pack(Decoder&);
/// cvt from or to pairs of small floats.
void decode_packed_cvt(Decoder&, ptx::Type to, ptx::Type from, Round);
void cluster_barrier_decode(Decoder&);
/// An arrival at an mbarrier.
void arrive_decode(Decoder&, const ptx::Operand& barrier);
/// What st.async and red.async do before and behind their access, whose third operand is an mbarrier.
void async_start_decode(Decoder&);
void async_end_decode(Decoder&, uint32_t bytes);

}  // namespace dojo::simt
