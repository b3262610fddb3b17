// Vectors in shared memory, two or four grains a lane: the most frequent cases without a look at each lane.
#include "simt/checks/shadow_vectors.hpp"

#include <algorithm>

#include "simt/simd.hpp"

namespace dojo::simt {
namespace {

/// check_vectors() of 32 vectors that follow each other: float4 tile[32], say. Eight grains at a time.
bool check_row_of_vectors(Exec& x, const Inst* p, const Span& span, uint32_t grains, bool write) {
  using simd::U32;
  Block& b = *x.block;
  SharedShadow& s = b.shadow;
  const uint32_t Et = x.warp->epoch << 10, per_step = 8 / grains;
  const U32 barrier = simd::splat(b.barrier_stamp << 10), sync = simd::splat(x.warp->sync_stamp << 10),
            start = simd::splat(b.first_stamp << 10), epoch = simd::splat(Et),
            thread_bits = simd::splat(1023), warp_bits = simd::splat(992), access = simd::splat(p->access),
            none{};
  const U32 begin = (grains == 2 ? U32{0, 0, 1, 1, 2, 2, 3, 3} : U32{0, 0, 0, 0, 1, 1, 1, 1}) +
                    simd::splat(x.warp->index * 32);
  const auto fine = [&](U32 tag, U32 me) {
    const U32 other = tag ^ me;
    return simd::below(tag, barrier) | simd::same(other & thread_bits, none) |
           (simd::same(other & warp_bits, none) & simd::below(tag, sync));
  };
  const uint64_t at = span.base / s.grain;
  uint32_t *W = s.write.data() + at, *R1 = s.read1.data() + at, *R2 = s.read2.data() + at;
  U32 bad{}, me = begin;
  for (uint32_t i = 0; i < 32 * grains; i += 8, me += simd::splat(per_step)) {
    const U32 w = simd::load(W + i);
    bad |= ~fine(w, me);
    bad |= write ? ~(fine(simd::load(R1 + i), me) & fine(simd::load(R2 + i), me)) : simd::below(w, start);
  }
  if (simd::any(bad)) return false;
  uint32_t* inst = (write ? s.writer_inst : s.reader_inst).data() + at;
  me = begin;
  for (uint32_t i = 0; i < 32 * grains; i += 8, me += simd::splat(per_step)) {
    simd::store(inst + i, access);
    if (write) {
      simd::store(W + i, me | epoch);
      continue;
    }
    const U32 r = simd::load(R1 + i), first = fine(r, me);
    simd::store(R1 + i, simd::select(first, me | epoch, r));
    simd::store(R2 + i, simd::select(first, simd::load(R2 + i), me | epoch));
  }
  return true;
}

}  // namespace

bool check_vectors(Exec& x, const Inst* p, const Span& span, uint32_t bytes, bool write) {
  Block& b = *x.block;
  SharedShadow& s = b.shadow;
  const uint32_t Bt = b.barrier_stamp << 10, St = x.warp->sync_stamp << 10, Et = x.warp->epoch << 10,
                 first = b.first_stamp << 10, me = x.warp->index * 32, n = bytes / s.grain;
  if (span.affine && span.mask == ~0u && span.stride == bytes && span.base % bytes == 0 &&
      span.high + bytes <= b.shared_bytes && span.high >= span.low)
    return check_row_of_vectors(x, p, span, n, write);
  const auto fine = [&](uint32_t v, uint32_t l) {
    const uint32_t t = v & 1023;
    return uint32_t(v < Bt) | uint32_t(t == me + l) | (uint32_t((t ^ me) < 32) & uint32_t(v < St));
  };
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
    bad |= write ? (fine(s.read1[g], l) & fine(s.read2[g], l)) ^ 1 : uint32_t(w < first);
  }
  if (bad) return false;
  if (write) {
    // Lanes that meet in one vector: the second finds the tag of the first.
    DOJO_FOR_LANES(l, span.mask) s.scratch[l] = s.write[at[l]];
    DOJO_FOR_LANES(l, span.mask) {
      if (s.write[at[l]] >= Et && s.write[at[l]] != s.scratch[l]) {
        check_shared_lane(x, p, l, span.at(l), bytes, true, false);
        continue;
      }
      std::fill_n(s.write.begin() + at[l], n, Et | (me + l));
      std::fill_n(s.writer_inst.begin() + at[l], n, p->access);
    }
    return true;
  }
  DOJO_FOR_LANES(l, span.mask)
  for (uint32_t g = at[l]; g < at[l] + n; ++g) {
    (fine(s.read1[g], l) ? s.read1[g] : s.read2[g]) = Et | (me + l);
    s.reader_inst[g] = p->access;
  }
  return true;
}

}  // namespace dojo::simt
