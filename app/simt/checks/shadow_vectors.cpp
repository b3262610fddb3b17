// Vectors in shared memory, two or four grains a lane: the most frequent cases without a look at each lane.
#include "simt/checks/shadow_vectors.hpp"

#include <algorithm>

#include "simt/checks/shared_order.hpp"

namespace dojo::simt {
namespace {

/// check_vectors() of 32 vectors that follow each other: float4 tile[32], say. Eight grains at a time.
bool check_row_of_vectors(Exec& x, const Inst* p, const Span& span, uint32_t grains, bool write) {
  using simd::U32;
  SharedShadow& s = x.block->shadow;
  const SharedNow now(x);
  const SharedNowOfEight eight(now);
  const uint32_t per_step = 8 / grains;
  const U32 access = simd::splat(p->access);
  const U32 begin =
      (grains == 2 ? U32{0, 0, 1, 1, 2, 2, 3, 3} : U32{0, 0, 0, 0, 1, 1, 1, 1}) + simd::splat(now.warp);
  const auto fine = [&](U32 tag, U32 me) { return eight.ordered(tag, me); };
  const uint64_t at = span.base / s.grain;
  uint32_t *W = s.write.data() + at, *R1 = s.read1.data() + at, *R2 = s.read2.data() + at;
  U32 bad{}, me = begin;
  for (uint32_t i = 0; i < 32 * grains; i += 8, me += simd::splat(per_step)) {
    const U32 w = simd::load(W + i);
    bad |= ~fine(w, me);
    bad |=
        write ? ~(fine(simd::load(R1 + i), me) & fine(simd::load(R2 + i), me)) : simd::below(w, eight.first);
  }
  if (simd::any(bad)) return false;
  uint32_t *by = s.writer_inst.data() + at, *by1 = s.read1_inst.data() + at, *by2 = s.read2_inst.data() + at;
  me = begin;
  for (uint32_t i = 0; i < 32 * grains; i += 8, me += simd::splat(per_step)) {
    if (write) {
      simd::store(W + i, me | eight.epoch);
      simd::store(by + i, access);
      continue;
    }
    const U32 r = simd::load(R1 + i), first = fine(r, me);
    simd::store(R1 + i, simd::select(first, me | eight.epoch, r));
    simd::store(R2 + i, simd::select(first, simd::load(R2 + i), me | eight.epoch));
    simd::store(by1 + i, simd::select(first, access, simd::load(by1 + i)));
    simd::store(by2 + i, simd::select(first, simd::load(by2 + i), access));
  }
  return true;
}

}  // namespace

bool check_vectors(Exec& x, const Inst* p, const Span& span, uint32_t bytes, bool write) {
  Block& b = *x.block;
  SharedShadow& s = b.shadow;
  const SharedNow now(x);
  const uint32_t me = now.warp, n = bytes / s.grain;
  if (span.affine && span.mask == ~0u && span.stride == bytes && span.base % bytes == 0 &&
      span.high + bytes <= b.shared_bytes && span.high >= span.low)
    return check_row_of_vectors(x, p, span, n, write);
  const auto fine = [&](uint32_t tag, uint32_t l) { return now.ordered(tag, me + l); };
  uint32_t at[32], bad = 0;
  DOJO_FOR_LANES(l, span.mask) {
    const uint64_t offset = span.at(l);
    bad |= uint32_t(offset % bytes != 0 || offset + bytes > b.shared_bytes);
    at[l] = uint32_t(offset / s.grain);
  }
  if (bad) return false;
  DOJO_FOR_LANES(l, span.mask)
  for (uint32_t g = at[l]; g < at[l] + n; ++g) {
    const uint32_t w = s.write[g];
    bad |= fine(w, l) ^ 1;
    bad |= write ? (fine(s.read1[g], l) & fine(s.read2[g], l)) ^ 1 : uint32_t(w < now.first);
  }
  if (bad) return false;
  if (write) {
    // Lanes that meet in one vector: the second finds the tag of the first.
    DOJO_FOR_LANES(l, span.mask) s.scratch[l] = s.write[at[l]];
    DOJO_FOR_LANES(l, span.mask) {
      if (s.write[at[l]] >= now.epoch && s.write[at[l]] != s.scratch[l]) {
        check_shared_lane(x, p, l, span.at(l), bytes, true, false);
        continue;
      }
      std::fill_n(s.write.begin() + at[l], n, now.epoch | (me + l));
      std::fill_n(s.writer_inst.begin() + at[l], n, p->access);
    }
    return true;
  }
  DOJO_FOR_LANES(l, span.mask)
  for (uint32_t g = at[l]; g < at[l] + n; ++g) {
    const bool first = fine(s.read1[g], l);
    (first ? s.read1[g] : s.read2[g]) = now.epoch | (me + l);
    (first ? s.read1_inst[g] : s.read2_inst[g]) = p->access;
  }
  return true;
}

}  // namespace dojo::simt
