#pragma once
// Addresses of one warp access: affine or not, its counters, and where its bytes are.
#include "simt/simd.hpp"
#include "simt/state/exec.hpp"

namespace dojo::simt {

/// The addresses of an access. Affine: lane l's is base + l * stride (mod 2^64); else in `lanes`.
struct Span {
  uint64_t base = 0, stride = 0;
  uint64_t low = 0, high = 0;  ///< least and greatest of the active lanes' addresses (affine only)
  bool affine = false;
  const uint64_t* lanes = nullptr;
  uint32_t mask = 0;
  uint64_t at(uint32_t l) const { return affine ? base + stride * l : lanes[l]; }
};

inline void find_span(Span& s, const uint64_t* a, uint32_t mask) {
  s.mask = mask;
  s.lanes = a;
  const uint32_t first = uint32_t(std::countr_zero(mask)), last = 31 - uint32_t(std::countl_zero(mask));
  s.base = a[first];
  s.stride = 0;
  s.affine = true;
  if (first == last) {
    s.low = s.high = s.base;
    return;
  }
  const uint32_t second = uint32_t(std::countr_zero(mask & (mask - 1)));
  const uint32_t gap = second - first;
  const int64_t diff = int64_t(a[second] - a[first]);
  if (gap == 1)
    s.stride = uint64_t(diff);
  else if ((gap & (gap - 1)) == 0) {
    if (diff & (gap - 1)) return void(s.affine = false);
    s.stride = uint64_t(diff >> std::countr_zero(gap));
  } else {
    if (diff % int64_t(gap)) return void(s.affine = false);
    s.stride = uint64_t(diff / int64_t(gap));
  }
  s.base -= s.stride * first;
  if (!simd::arithmetic_where(a, s.base, s.stride, mask)) return void(s.affine = false);
  s.low = s.base + s.stride * first;
  s.high = s.base + s.stride * last;
  if (int64_t(s.stride) < 0) std::swap(s.low, s.high);
}

/// Lane l's address in a register slot of 64 bits (`wide`) or 32.
inline uint64_t lane_address(Exec& x, uint32_t slot, bool wide, uint32_t l) {
  return wide ? x.slot<uint64_t>(slot)[l] : uint64_t(x.slot<uint32_t>(slot)[l]);
}

/// The sum of an address register and an instruction's offset. That of a 32-bit register wraps: compilers
/// move part of an index into the offset, so the register alone may be below 0. A sum below 0 stays so, and
/// is found as such.
inline uint64_t with_offset(uint64_t address, uint64_t offset, bool wide) {
  const uint64_t sum = address + offset;
  return !wide && sum >> 32 == 1 ? uint64_t(uint32_t(sum)) : sum;
}
inline uint64_t lane_address(Exec& x, uint32_t slot, bool wide, uint32_t l, uint64_t offset) {
  return with_offset(lane_address(x, slot, wide, l), offset, wide);
}

/// A place in shared memory is (rank + 1) << cta_shift | offset in a block of the cluster, or an offset alone
/// in the block's own. The rank plus one, or 0:
inline uint64_t cta_of(uint64_t place) { return place >> window::cta_shift; }
inline uint64_t offset_in_cta(uint64_t place) { return place & ((uint64_t(1) << window::cta_shift) - 1); }
/// Shared memory: wavefronts of an access of `width` bytes a lane.
uint32_t shared_wavefronts(const Span&, uint32_t width);
/// Global memory: 32-byte sectors and 128-byte lines.
void global_sectors(const Span&, uint32_t width, uint32_t* sectors, uint32_t* lines);
/// Appends the access's lines to the block's log.
void log_lines(Exec&, const Inst*, const Span&, uint32_t width, LineAccess::Kind);
/// Appends that the SM's L1 is empty from here on (fences and acquires beyond the block).
void log_invalidation(Exec&, const Inst*);
/// The slow half of counting: a new shape.
void count_new_shape(const Inst*, AccessCount&, const Span&, uint32_t phase, uint32_t width);

/// Wavefronts of the L1 for a load of global or local memory: four lines each, and at least as many as the
/// busiest bank has words, which are laid out as shared memory's. Source: tests/microbench/lines.cu on an
/// H100: 32 lines on banks of their own take 8 cycles, 16 take 4; 4, 8, 16 and 32 words of one bank take as
/// many; lines far from each other, of a pitch of 316 words, up to 4 more.
uint32_t l1_wavefronts(const Span&, uint32_t width, uint32_t lines);
/// The access as an event of the warp's trace; `lsu_wavefronts` 0: as many as it has wavefronts.
void trace_access(Exec&, const Inst*, const AccessCount&, uint32_t lsu_wavefronts);

inline void note_access(Exec& x, const Inst* p, AccessCount& c, uint32_t lsu_wavefronts = 0) {
  x.sig = fold(x.sig, c.shape_hash);
  if (x.warp->trace) [[unlikely]]
    trace_access(x, p, c, lsu_wavefronts);
}

/// Words that the lanes of a load of constants name.
uint32_t constant_words(const Span&, uint32_t width);

/// An access of constant memory: no counter has it, but how many words it takes matters for its time.
inline void note_constant(Exec& x, const Inst* p, const Span& s, uint32_t width) {
  const uint32_t words = s.affine && s.stride == 0 ? 1 : constant_words(s, width);
  x.sig = fold(x.sig, words * 0xD6E8FEB86659FD93ull);
  if (!x.warp->trace) return;
  AccessCount c;
  c.lanes = uint16_t(std::popcount(s.mask)), c.wavefronts = uint16_t(words);
  trace_access(x, p, c, words);
}

/// Marks the access that was just noted as one of another block's shared memory, if it is, and counts its
/// lanes that are.
void note_remote(Exec&, AccessCount&, const Span&, uint32_t width);

/// Counts an access of shared memory.
inline void count_shared(Exec& x, const Inst* p, AccessCount& c, const Span& s) {
  const uint32_t width = x.shape[p->access].width;
  if (!width) return;
  // A generic instruction can have gone to global memory before, by the same stride.
  if (s.affine && c.stride == s.stride && c.mask == s.mask && c.phase == AccessCount::of_shared) [[likely]]
    ++c.run;
  else
    count_new_shape(p, c, s, AccessCount::of_shared, width);
  x.block->summary.shared_wavefronts += c.wavefronts;
  note_access(x, p, c);
  if (x.block->cluster) [[unlikely]]
    note_remote(x, c, s, width);
}
/// Counts an access of global or local memory by `width` bytes per lane.
inline void count_lines(Exec& x, const Inst* p, AccessCount& c, const Span& s, uint32_t width,
                        LineAccess::Kind kind) {
  const uint32_t phase = uint32_t(s.base & 127);
  if (s.affine && c.stride == s.stride && c.mask == s.mask && c.phase == phase) [[likely]]
    ++c.run;
  else
    count_new_shape(p, c, s, phase, width);
  ++x.block->summary.global_requests;
  x.block->summary.global_sectors += c.sectors;
  const bool timed = x.warp->trace && (kind == LineAccess::load || kind == LineAccess::load_nc);
  note_access(x, p, c, timed ? l1_wavefronts(s, width, c.lines) : 0);
  if (x.want_log) log_lines(x, p, s, width, kind);
}
/// Counts an access of global memory.
inline void count_global(Exec& x, const Inst* p, AccessCount& c, const Span& s, LineAccess::Kind kind) {
  if (const uint32_t width = x.shape[p->access].width) count_lines(x, p, c, s, width, kind);
}

/// A block that has reds in its log touches memory: where the log will change that region, the launch is run
/// again in order, each red applied at once. Only in an attempt to run blocks at once.
void meet_reds(Exec&, uint64_t address);

/// Notes that the launch reads or writes the region.
void note_region(Exec&, Region&, bool write);

/// The live device region that holds [low, high), through the instruction's own cache; null: look closer.
/// `red`: for an operation that goes to the block's log itself.
inline std::byte* global_bytes(Exec& x, AccessCount& c, uint64_t low, uint64_t high, bool write,
                               bool red = false) {
  if (x.pending_reds && !red) [[unlikely]]
    meet_reds(x, low);
  if (low - c.base < c.size && high - low <= c.size - (low - c.base)) [[likely]]
    return c.data + (low - c.base);
  Region* r = x.memory->find(low);
  if (!r || r->freed || !r->data || !r->contains(low, high - low)) return nullptr;
  if (x.host && !host_can_access(r->owner)) return nullptr;
  if (write && (r->read_only || (!x.host && r->owner == Owner::constant))) return nullptr;
  const Region::Range all = x.host ? Region::Range{r->base, r->size} : r->reached(low, high - low);
  if (!all.size && r->size) return nullptr;
  if (x.notes_regions) note_region(x, *r, write);
  c.base = all.base;
  c.size = all.size;
  c.data = r->data + (all.base - r->base);
  c.region = r;
  return c.data + (low - c.base);
}
/// A generic or shared address as a place in shared memory.
inline uint64_t plain_shared(uint64_t a) { return window::in(a, window::shared) ? a - window::shared : a; }
std::byte* shared_bytes(Exec&, uint64_t low, uint64_t high);
std::byte* local_bytes(Exec&, uint32_t lane, uint64_t offset, uint32_t bytes);

/// Bytes behind a generic address as lane `lane` sees them: null when there are none (then nothing is
/// reported).
std::byte* lane_bytes(Exec&, uint32_t lane, uint64_t address, size_t n);
/// The text at such an address, of at most `most` characters.
std::string lane_string(Exec&, uint32_t lane, uint64_t address, uint64_t most = 4096);

}  // namespace dojo::simt
