#include "simt/shadow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "simt/access.hpp"
#include "simt/machine_core.hpp"

namespace dojo::simt {
namespace {

/// What an address space's shadow state refers to, beyond the regions themselves.
struct Book {
  uint64_t next_ticket = 1;
  struct Launch {
    uint64_t first;
    Dim3 grid, block;
  };
  std::vector<Launch> launches;
};
std::mutex books_lock;
Book& book(AddressSpace& m) {
  static std::map<AddressSpace*, Book> books;
  return books[&m];
}

}  // namespace

uint64_t shadow_ticket(AddressSpace& m) {
  std::lock_guard guard(books_lock);
  Book& b = book(m);
  // A new address space at an old one's place: nothing is shadowed yet.
  bool fresh = true;
  for (const auto& r : m.regions()) fresh &= !r->shadow;
  if (fresh) b = {};
  return b.next_ticket;
}
void set_shadow_ticket(AddressSpace& m, uint64_t t) {
  std::lock_guard guard(books_lock);
  book(m).next_ticket = t;
}
void note_launch_tickets(AddressSpace& m, uint64_t first, const Dim3& grid, const Dim3& block) {
  std::lock_guard guard(books_lock);
  book(m).launches.push_back({first, grid, block});
}
void clear_all_shadow(AddressSpace& m) {
  std::lock_guard guard(books_lock);
  book(m).launches.clear();
  for (const auto& r : m.regions())
    if (auto* s = static_cast<RegionShadow*>(r->shadow.get())) {
      s->write.allocate(s->write.size);
      s->read1.allocate(s->read1.size);
      s->read2.allocate(s->read2.size);
    }
}

RegionShadow* global_shadow(Region& r, uint32_t grain) {
  auto* s = static_cast<RegionShadow*>(r.shadow.get());
  if (s && s->grain <= grain && s->write.size) return s;
  std::shared_ptr<RegionShadow> n =
      s ? std::static_pointer_cast<RegionShadow>(r.shadow) : std::make_shared<RegionShadow>();
  if (!s) {
    n->init.allocate(r.size / 64 + 4);
  }
  // Tags of an older, coarser grain are given up: only those of launches in flight matter, and there are
  // none.
  n->grain = s && s->write.size ? std::min(grain, s->grain) : grain;
  const size_t count = r.size / n->grain + 64;
  n->write.allocate(count);
  n->read1.allocate(count);
  n->read2.allocate(count);
  r.shadow = n;
  return n.get();
}

void prepare_global_shadow(AddressSpace& m, uint32_t grain) {
  for (const auto& r : m.regions())
    if (!r->freed && r->data && device_can_access(r->owner) && r->owner != Owner::constant)
      global_shadow(*r, grain);
}

namespace {
/// Bits [from, from + n) of an init map: fn(word index, mask).
template <class F>
void each_word(uint64_t from, uint64_t n, F fn) {
  while (n) {
    const uint64_t bit = from & 63, k = std::min<uint64_t>(n, 64 - bit);
    fn(from / 64, (k == 64 ? ~uint64_t(0) : ((uint64_t(1) << k) - 1)) << bit);
    from += k;
    n -= k;
  }
}
bool initialized(const RegionShadow& s, uint64_t from, uint64_t n) {
  bool ok = true;
  each_word(from, n, [&](uint64_t w, uint64_t m) { ok &= (s.init[w] & m) == m; });
  return ok;
}
void set_initialized(RegionShadow& s, uint64_t from, uint64_t n) {
  each_word(from, n, [&](uint64_t w, uint64_t m) {
    // Neighbouring blocks on other host threads may set bits of the same word.
    if ((s.init[w] & m) != m) __atomic_fetch_or(&s.init[w], m, __ATOMIC_RELAXED);
  });
}
}  // namespace

void mark_initialized(Region& r, uint64_t offset, uint64_t bytes) {
  if (r.initialized || offset > r.size) return;
  bytes = std::min(bytes, r.size - offset);
  if (offset == 0 && bytes == r.size) {
    r.initialized = true;
    return;
  }
  auto* s = static_cast<RegionShadow*>(r.shadow.get());
  if (!s) {
    auto n = std::make_shared<RegionShadow>();
    n->init.allocate(r.size / 64 + 4);
    r.shadow = n;
    s = n.get();
  }
  set_initialized(*s, offset, bytes);
}

bool last_writer(AddressSpace& m, uint64_t address, Dim3* block, Dim3* thread) {
  Region* r = m.find(address);
  if (!r || r->freed) return false;
  auto* s = static_cast<RegionShadow*>(r->shadow.get());
  if (!s || !s->write.size) return false;
  const uint64_t tag = s->write[(address - r->base) / s->grain];
  if (!tag) return false;
  std::lock_guard guard(books_lock);
  const Book::Launch* launch = nullptr;
  for (const auto& l : book(m).launches)
    if (Tag::ticket(tag) >= l.first && Tag::ticket(tag) < l.first + l.grid.count()) launch = &l;
  if (!launch) return false;
  *block = launch->grid.at(Tag::ticket(tag) - launch->first);
  *thread = launch->block.at(Tag::thread(tag));
  return true;
}

ShadowCopy save_shadow(const Region& r) {
  auto* s = static_cast<RegionShadow*>(r.shadow.get());
  if (!s) return {};
  auto copy = std::make_shared<RegionShadow>();
  copy->grain = s->grain;
  // Only which bytes were written has to come back: tags of an abandoned run are cleared.
  copy->init.allocate(s->init.size);
  std::memcpy(copy->init.data.get(), s->init.data.get(), s->init.size * 8);
  return copy;
}
void restore_shadow(Region& r, ShadowCopy copy) {
  if (!copy) return void(r.shadow.reset());
  const size_t count = r.size / copy->grain + 64;
  copy->write.allocate(count);
  copy->read1.allocate(count);
  copy->read2.allocate(count);
  r.shadow = copy;
}

// ---- shared memory ---------------------------------------------------------------------------------------
// Tags of shared memory: sync stamp << 10 | thread. A tag below the last block barrier's stamp is ordered
// before now; one of the same warp also when it is below the warp's last __syncwarp.

namespace {
constexpr uint32_t max_shared_stamp = (1u << 22) - 2;
}

void prepare_shared_shadow(Block& b, uint32_t grain) {
  SharedShadow& s = b.shadow;
  const size_t n = b.shared_bytes / grain + 96;
  const bool reset = s.grain != grain || b.stamp > max_shared_stamp / 2;
  if (s.write.size() < n || reset) {
    for (auto* v : {&s.write, &s.read1, &s.read2, &s.writer_inst, &s.reader_inst})
      v->assign(std::max(n, v->size()), 0);
    s.grain = grain;
    if (b.stamp > max_shared_stamp / 2) b.stamp = 1, b.first_stamp = b.barrier_stamp = ++b.stamp;
  }
}

namespace {

bool same_value(Exec& x, const Inst* p, uint32_t l, uint32_t k) {
  if (p->kind != Kind::memory || p->count != 1) return false;
  return p->wide & 2 ? x.slot<uint64_t>(p->d)[l] == x.slot<uint64_t>(p->d)[k]
                     : x.slot<uint32_t>(p->d)[l] == x.slot<uint32_t>(p->d)[k];
}
bool keeps_value(Exec& x, const Inst* p, uint32_t l, const std::byte* at) {
  if (p->kind != Kind::memory || p->count != 1 || !at) return false;
  uint64_t v = p->wide & 2 ? x.slot<uint64_t>(p->d)[l] : x.slot<uint32_t>(p->d)[l];
  return std::memcmp(&v, at, p->width) == 0;
}

void report_shared_race(Exec& x, const Inst* p, uint32_t lane, uint64_t offset, bool write,
                        uint32_t other_thread, uint32_t other_access, bool other_write) {
  const bool same_warp = other_thread / 32 == x.warp->index;
  Diagnostic d = finding(x, p, "race",
                         fmt::format("Race in shared memory: this thread {} shared memory + {} while another "
                                     "thread of the {} {} it, and nothing "
                                     "orders the two. Put a {} between them.",
                                     write ? "writes" : "reads", offset, same_warp ? "same warp" : "block",
                                     other_write ? "writes" : "reads",
                                     same_warp ? "__syncwarp() (or __syncthreads())" : "__syncthreads()"),
                         int(lane));
  const auto& owners = x.program->accesses();
  if (other_access < owners.size()) {
    const AccessOwner& o = owners[other_access];
    d.related.push_back({place_of(*x.program, o.function, o.ptx),
                         other_write ? "the other thread writes here" : "the other thread reads here",
                         x.block->index, thread_of(x, other_thread)});
  }
  emit(x, std::move(d));
}
void report_shared_uninit(Exec& x, const Inst* p, uint32_t lane, uint64_t offset) {
  emit(x,
       finding(x, p, "uninitialized",
               fmt::format("This thread reads shared memory + {}, which no thread of the block has written.",
                           offset),
               int(lane)));
}

void check_shared_lane(Exec& x, const Inst* p, uint32_t l, uint64_t offset, uint32_t bytes, bool write,
                       bool atomic) {
  Block& b = *x.block;
  SharedShadow& s = b.shadow;
  const uint32_t Bt = b.barrier_stamp << 10, St = x.warp->sync_stamp << 10, first = b.first_stamp << 10;
  const uint32_t thread = thread_index(x, int(l)), tag = St | thread;
  auto conflict = [&](uint32_t t) {
    if (t < Bt || (t & 1023) == thread) return false;
    return !(((t & 1023) / 32) == x.warp->index && t < St);
  };
  for (uint64_t g = offset / s.grain, end = (offset + bytes - 1) / s.grain; g <= end; ++g) {
    const uint32_t w = s.write[g];
    const bool was_atomic = s.writer_inst[g] & 0x80000000u;
    if ((!write || atomic) && w < first) report_shared_uninit(x, p, l, offset);
    if (conflict(w) && !(atomic && was_atomic)) {
      const uint32_t other = w & 1023, access = s.writer_inst[g] & 0x7fffffffu;
      bool benign = false;
      if (write && !atomic) {
        if (access == p->access && other / 32 == x.warp->index && (w & ~1023u) == St)
          benign = same_value(x, p, l, other & 31);
        else
          benign = keeps_value(x, p, l, b.shared.data() + offset);
      }
      if (!benign) report_shared_race(x, p, l, offset, write, other, access, true);
    }
    if (write) {
      if (conflict(s.read1[g]))
        report_shared_race(x, p, l, offset, true, s.read1[g] & 1023, s.reader_inst[g], false);
      else if (conflict(s.read2[g]))
        report_shared_race(x, p, l, offset, true, s.read2[g] & 1023, s.reader_inst[g], false);
      s.write[g] = tag;
      s.writer_inst[g] = p->access | (atomic ? 0x80000000u : 0);
    } else {
      if (!conflict(s.read1[g]))
        s.read1[g] = tag;
      else
        s.read2[g] = tag;
      s.reader_inst[g] = p->access;
    }
  }
}

}  // namespace

void check_shared(Exec& x, const Inst* p, const Span& span, uint32_t bytes, bool write, bool atomic) {
  Block& b = *x.block;
  SharedShadow& s = b.shadow;
  if (b.stamp > max_shared_stamp) return;
  if (b.cluster && span.affine && span.high >= b.shared_bytes) return;  // another block's shared memory
  const uint32_t Bt = b.barrier_stamp << 10, St = x.warp->sync_stamp << 10, first = b.first_stamp << 10;
  const uint32_t mask = span.mask;
  if (span.affine && bytes == s.grain && span.stride == bytes && !atomic && int64_t(span.base) >= 0) {
    const uint64_t at = span.base / s.grain;
    uint32_t* W = s.write.data() + at;
    uint32_t* R1 = s.read1.data() + at;
    uint32_t* R2 = s.read2.data() + at;
    const uint32_t warp = x.warp->index, base_tag = St | warp * 32;
    // Eight lanes at a time. Tags compare as unsigned: below Bt ordered by a barrier; mine; or of this warp
    // and below St.
    auto load = [](const uint32_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); };
    auto store = [](uint32_t* p, __m256i v) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v); };
    auto below = [](__m256i v, __m256i bound) {  // v < bound: not max(v, bound) == v
      return _mm256_xor_si256(_mm256_cmpeq_epi32(_mm256_max_epu32(v, bound), v), _mm256_set1_epi32(-1));
    };
    const __m256i barrier = _mm256_set1_epi32(int(Bt)), sync = _mm256_set1_epi32(int(St)),
                  start = _mm256_set1_epi32(int(first));
    const __m256i thread_bits = _mm256_set1_epi32(1023), warp_bits = _mm256_set1_epi32(992),
                  access = _mm256_set1_epi32(int(p->access));
    __m256i bad = _mm256_setzero_si256(), second = bad;
    __m256i me =
        _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(int(warp * 32)));
    const __m256i eight = _mm256_set1_epi32(8);
    auto fine = [&](__m256i v) {
      const __m256i diff = _mm256_xor_si256(v, me);
      const __m256i self = _mm256_cmpeq_epi32(_mm256_and_si256(diff, thread_bits), _mm256_setzero_si256());
      const __m256i same_warp = _mm256_cmpeq_epi32(_mm256_and_si256(diff, warp_bits), _mm256_setzero_si256());
      return _mm256_or_si256(_mm256_or_si256(below(v, barrier), self),
                             _mm256_and_si256(same_warp, below(v, sync)));
    };
    if (!write) {
      // One pass: what is recorded here does no harm should the slow path look again.
      uint32_t* inst = s.reader_inst.data() + at;
      for (int i = 0; i < 32; i += 8, me = _mm256_add_epi32(me, eight)) {
        if (!(mask >> i & 0xff)) continue;
        const __m256i on = lane_mask8(mask, i), w = load(W + i), r = load(R1 + i);
        bad = _mm256_or_si256(
            bad, _mm256_and_si256(on, _mm256_or_si256(_mm256_andnot_si256(fine(w), on), below(w, start))));
        const __m256i take = _mm256_and_si256(on, fine(r));
        store(R1 + i, _mm256_blendv_epi8(r, _mm256_or_si256(me, sync), take));
        store(inst + i, _mm256_blendv_epi8(load(inst + i), access, on));
        second = _mm256_or_si256(second, _mm256_andnot_si256(take, on));
      }
      if (!_mm256_testz_si256(second, second))
        for (uint32_t i = 0; i < 32; ++i)
          if ((mask >> i & 1) && R1[i] != base_tag + i) R2[i] = base_tag + i;
      if (_mm256_testz_si256(bad, bad)) [[likely]]
        return;
    } else {
      const __m256i begin = me;
      for (int i = 0; i < 32; i += 8, me = _mm256_add_epi32(me, eight)) {
        if (!(mask >> i & 0xff)) continue;
        const __m256i all =
            _mm256_and_si256(_mm256_and_si256(fine(load(W + i)), fine(load(R1 + i))), fine(load(R2 + i)));
        bad = _mm256_or_si256(bad, _mm256_andnot_si256(all, lane_mask8(mask, i)));
      }
      if (_mm256_testz_si256(bad, bad)) [[likely]] {
        uint32_t* inst = s.writer_inst.data() + at;
        me = begin;
        for (int i = 0; i < 32; i += 8, me = _mm256_add_epi32(me, eight)) {
          if (!(mask >> i & 0xff)) continue;
          const __m256i on = lane_mask8(mask, i);
          store(W + i, _mm256_blendv_epi8(load(W + i), _mm256_or_si256(me, sync), on));
          store(inst + i, _mm256_blendv_epi8(load(inst + i), access, on));
        }
        return;
      }
    }
  } else if (!write && span.affine && span.stride == 0 && bytes <= s.grain) {
    // All lanes read one word: fine when nobody wrote it since the barrier.
    const uint64_t g = span.base / s.grain;
    const uint32_t w = s.write[g];
    if (w < Bt && w >= first) [[likely]] {
      const uint32_t l0 = uint32_t(std::countr_zero(mask)), l1 = 31 - uint32_t(std::countl_zero(mask));
      const uint32_t a = St | (x.warp->index * 32 + l0), z = St | (x.warp->index * 32 + l1);
      if (s.read1[g] < Bt) s.read1[g] = a;
      if (l1 != l0 || s.read1[g] != a) s.read2[g] = z;
      s.reader_inst[g] = p->access;
      return;
    }
  }
  if (bytes == s.grain && !atomic && !b.cluster) {
    // Any addresses, one grain a lane.
    const uint32_t shift = uint32_t(std::countr_zero(s.grain)), me = x.warp->index * 32;
    uint32_t at[32];
    uint32_t bad = 0;
    DOJO_FOR_LANES(l, mask) {
      const uint32_t g = at[l] = uint32_t(span.at(l) >> shift);
      auto fine = [&](uint32_t v) {
        const uint32_t t = v & 1023;
        return uint32_t(v < Bt) | uint32_t(t == me + l) | (uint32_t((t ^ me) < 32) & uint32_t(v < St));
      };
      const uint32_t w = s.write[g];
      bad |=
          write ? (fine(w) & fine(s.read1[g]) & fine(s.read2[g])) ^ 1 : (fine(w) ^ 1) | uint32_t(w < first);
      if (write) s.scratch[l] = w;
    }
    if (!bad) {
      if (write) {
        // Lanes that meet in one word conflict with each other: seen by the tag they leave.
        DOJO_FOR_LANES(l, mask) {
          if (s.write[at[l]] >= St && s.write[at[l]] != s.scratch[l]) {
            check_shared_lane(x, p, l, span.at(l), bytes, true, false);
          } else {
            s.write[at[l]] = St | (me + l);
            s.writer_inst[at[l]] = p->access;
          }
        }
        return;
      }
      DOJO_FOR_LANES(l, mask) {
        const uint32_t r = s.read1[at[l]], t = r & 1023, mine = St | (me + l);
        if (r < Bt || t == me + l || ((t ^ me) < 32 && r < St))
          s.read1[at[l]] = mine;
        else
          s.read2[at[l]] = mine;
        s.reader_inst[at[l]] = p->access;
      }
      return;
    }
  }
  DOJO_FOR_LANES(l, mask) {
    const uint64_t a = span.at(l);
    if (a + bytes <= b.shared_bytes) check_shared_lane(x, p, l, a, bytes, write, atomic);
  }
}

// ---- global memory ---------------------------------------------------------------------------------------
namespace {

struct Me {
  uint64_t base;   ///< tags below are of launches that are over
  uint64_t floor;  ///< tags below are ordered before this block (programmatic dependence)
  uint64_t ticket;
  uint64_t barrier, sync;  ///< stamps
  uint32_t warp;
};
Me me(Exec& x) {
  const Block& b = *x.block;
  return {
      x.machine->group_base() << Tag::ticket_shift, b.ticket_floor << Tag::ticket_shift,    b.ticket,
      b.barrier_stamp - b.first_stamp + 1,          x.warp->sync_stamp - b.first_stamp + 1, x.warp->index};
}
/// Could the other access, not known to be ordered before, be at the same time?
bool unordered(const Me& m, uint64_t t, uint32_t thread) {
  if (t < m.base || t < m.floor) return false;
  if (Tag::ticket(t) != m.ticket) return true;
  const uint64_t stamp = Tag::stamp(t);
  if (stamp < m.barrier || stamp == Tag::max_stamp) return false;
  const uint32_t other = Tag::thread(t);
  if (other == thread) return false;
  return !(other / 32 == m.warp && stamp < m.sync);
}

void report_global_race(Exec& x, const Inst* p, uint32_t lane, uint64_t address, bool write, uint64_t other,
                        bool other_write) {
  uint64_t linear = 0;
  Grid* g = x.machine->grid_of_ticket(Tag::ticket(other), &linear);
  const bool same_block = Tag::ticket(other) == x.block->ticket;
  const bool same_warp = same_block && Tag::thread(other) / 32 == x.warp->index;
  Diagnostic d = finding(
      x, p, "race",
      fmt::format("Race in global memory: this thread {} {} while another thread of {} {} it, and nothing "
                  "orders the two. {}",
                  write ? "writes" : "reads", x.memory->describe(address),
                  same_warp    ? "its warp"
                  : same_block ? "its block"
                               : "another block",
                  other_write ? "writes" : "reads",
                  same_warp ? "Put a __syncwarp() between them."
                  : same_block
                      ? "Put a __syncthreads() between them."
                      : "Blocks are ordered only by kernel launches, or by a fence and an atomic flag."),
      int(lane));
  const auto& owners = x.program->accesses();
  Related r;
  r.message = other_write ? "the other thread writes here" : "the other thread reads here";
  if (Tag::access(other) < owners.size()) {
    const AccessOwner& o = owners[Tag::access(other)];
    r.where = place_of(*x.program, o.function, o.ptx);
  }
  if (g) {
    r.block = g->grid.at(linear);
    r.thread = g->block.at(Tag::thread(other));
  }
  d.related.push_back(std::move(r));
  emit(x, std::move(d));
}

/// An atomic in a loop that only asks: a compare-and-swap, or one that adds nothing. It waits as a load would.
bool asks(const Exec& x, const Inst* p) {
  const auto& owners = x.program->accesses();
  if (p->access >= owners.size()) return false;
  const AccessOwner& at = owners[p->access];
  const ptx::Function& f = x.program->module().functions[at.function];
  if (!f.blocks[f.block_of[at.ptx]].in_loop) return false;
  const ptx::Instruction& i = f.code[at.ptx];
  const auto has = [&](const char* part) { return std::find(i.parts.begin(), i.parts.end(), part) != i.parts.end(); };
  if (has("cas")) return true;
  return (has("add") || has("or") || has("xor")) && i.operands.size() > 2 &&
         i.operands[2].kind == ptx::OperandKind::imm && i.operands[2].value == 0;
}

void check_global_lane(Exec& x, const Inst* p, RegionShadow& s, const Me& m, Region& region, uint32_t l,
                       uint64_t address, uint32_t bytes, bool write, bool strong) {
  const uint64_t offset = address - region.base;
  const uint32_t thread = thread_index(x, int(l));
  const uint64_t tag = Tag::make(m.ticket, m.sync, thread, strong, p->access);
  const bool atomic = write && strong && !(p->flags & flag::strong);
  if (!write || (atomic && p->sub != 8)) {
    if (!region.initialized && !initialized(s, offset, bytes))
      emit(x, finding(x, p, "uninitialized",
                      fmt::format("This thread reads {}, which nothing has written.",
                                  x.memory->describe(address)),
                      int(l)));
  }
  const uint64_t first = offset / s.grain, last = (offset + bytes - 1) / s.grain;
  for (uint64_t g = first; g <= last; ++g) {
    const uint64_t w = s.write[g];
    if (!write && strong) {
      if (x.ordered) {
        note_strong_read(x, address, l, w >= m.base ? w : 0);
        // The functional order may have run the writer first: in time, this reader still comes after it.
        if (x.warp->trace) note_wake(x, *x.block, *x.warp, address);
      }
      continue;
    }
    if (unordered(m, w, thread) && !(strong && (w & Tag::strong_bit)) &&
        !(x.ordered && ordered_by_flags(x, w, thread))) {
      bool benign = false;
      if (write && !strong) {
        if (Tag::access(w) == p->access && Tag::ticket(w) == m.ticket && Tag::thread(w) / 32 == m.warp &&
            Tag::stamp(w) == m.sync)
          benign = same_value(x, p, l, Tag::thread(w) & 31);
        else
          benign = keeps_value(x, p, l, region.data + offset);
      }
      if (!benign) report_global_race(x, p, l, address, write, w, true);
    }
    if (write) {
      for (uint64_t r : {s.read1[g], s.read2[g]})
        if (unordered(m, r, thread) && !(x.ordered && ordered_by_flags(x, r, thread))) {
          report_global_race(x, p, l, address, true, r, false);
          break;
        }
      s.write[g] = tag;
    } else {
      const uint64_t r = s.read1[g];
      if (!unordered(m, r, thread))
        s.read1[g] = tag;
      else
        s.read2[g] = tag;
    }
  }
  if (write) {
    if (!region.initialized) set_initialized(s, offset, bytes);
    if (strong && x.ordered) {
      // A release publishes what came before it, as a fence does.
      if (p->flags & flag::release) x.block->fence_stamp = x.block->stamp - x.block->first_stamp + 1, note_fence(x);
      const bool waits = atomic && asks(x, p);
      if (waits && x.warp->trace) note_wake(x, *x.block, *x.warp, address);
      note_strong_write(x, address, l, !waits);
    }
    if (atomic && x.ordered) note_strong_read(x, address, l, 0);
  }
}

}  // namespace

void check_global(Exec& x, const Inst* p, AccessCount& c, const Span& span, uint32_t bytes, bool write,
                  bool strong) {
  Region* region = c.region;
  if (!region || !region->contains(span.at(uint32_t(std::countr_zero(span.mask))), bytes)) {
    // Lanes in several regions.
    DOJO_FOR_LANES(l, span.mask) {
      Region* r = x.memory->find(span.at(l));
      if (!r || r->freed || r->owner == Owner::constant) continue;
      check_global_lane(x, p, *global_shadow(*r, x.grid->grain_global), me(x), *r, l, span.at(l), bytes,
                        write, strong);
    }
    return;
  }
  if (region->owner == Owner::constant) return;
  auto* s = static_cast<RegionShadow*>(region->shadow.get());
  if (!s || !s->write.size || s->grain > x.grid->grain_global)
    s = global_shadow(*region, x.grid->grain_global);
  const uint32_t mask = span.mask;
  // What no store can reach has no races: whether it was written before is all there is to check.
  if (!write && region->initialized && s->untracked == x.machine->group_base()) return;
  const Me m = me(x);
  if (span.affine && bytes == s->grain && span.stride == bytes && !strong && span.base >= region->base &&
      m.sync < Tag::max_stamp) {
    const uint64_t at = (span.base - region->base) / s->grain;
    const uint32_t first = uint32_t(std::countr_zero(mask)),
                   n = 32 - uint32_t(std::countl_zero(mask)) - first;
    uint64_t *W = &s->write[at], *R1 = &s->read1[at], *R2 = &s->read2[at];
    const uint64_t floor = std::max(m.base, m.floor);
    const uint64_t mine = Tag::make(m.ticket, m.sync, m.warp * 32, false, p->access);
    constexpr uint64_t step = uint64_t(1) << Tag::thread_shift;
    // Same thread of this block: everything above the stamp, and the thread, alike.
    uint64_t bad = 0;
    if (!write) {
      const bool known = region->initialized || initialized(*s, span.low - region->base, uint64_t(n) * bytes);
#pragma GCC ivdep
      for (uint32_t i = 0; i < 32; ++i) {
        const uint64_t on = -uint64_t(mask >> i & 1), w = W[i];
        const uint64_t self = ((w ^ (mine + i * step)) & ~(Tag::max_stamp << Tag::stamp_shift | 0xffff)) == 0;
        bad |= on & ((uint64_t(w < floor) | self) ^ 1);
      }
      if (!bad && known) [[likely]] {
        if (s->untracked == x.machine->group_base()) return;
        uint64_t second = 0;
#pragma GCC ivdep
        for (uint32_t i = 0; i < 32; ++i) {
          const uint64_t on = -uint64_t(mask >> i & 1), r = R1[i];
          const uint64_t self =
              ((r ^ (mine + i * step)) & ~(Tag::max_stamp << Tag::stamp_shift | 0xffff)) == 0;
          const uint64_t take = on & -(uint64_t(r < floor) | self);
          R1[i] = take ? mine + i * step : r;
          second |= on & ~take;
        }
        if (second)
          for (uint32_t i = 0; i < 32; ++i)
            if ((mask >> i & 1) && R1[i] != mine + i * step) R2[i] = mine + i * step;
        return;
      }
    } else {
#pragma GCC ivdep
      for (uint32_t i = 0; i < 32; ++i) {
        const uint64_t on = -uint64_t(mask >> i & 1);
        auto fine = [&](uint64_t t) {
          const uint64_t self =
              ((t ^ (mine + i * step)) & ~(Tag::max_stamp << Tag::stamp_shift | 0xffff)) == 0;
          return uint64_t(t < floor) | self;
        };
        bad |= on & ((fine(W[i]) & fine(R1[i]) & fine(R2[i])) ^ 1);
      }
      if (!bad) [[likely]] {
#pragma GCC ivdep
        for (uint32_t i = 0; i < 32; ++i) W[i] = (mask >> i & 1) ? mine + i * step : W[i];
        if (!region->initialized) {
          if (mask == ~0u || (((mask >> first) + 1) & (mask >> first)) == 0)
            set_initialized(*s, span.low - region->base, uint64_t(n) * bytes);
          else
            DOJO_FOR_LANES(l, mask) set_initialized(*s, span.at(l) - region->base, bytes);
        }
        return;
      }
    }
  }
  DOJO_FOR_LANES(l, mask) {
    Region* r = region;
    const uint64_t a = span.at(l);
    if (!r->contains(a, bytes)) {
      r = x.memory->find(a);
      if (!r || r->freed) continue;
      check_global_lane(x, p, *global_shadow(*r, x.grid->grain_global), m, *r, l, a, bytes, write, strong);
      continue;
    }
    check_global_lane(x, p, *s, m, *r, l, a, bytes, write, strong);
  }
}

// ---- local memory ----------------------------------------------------------------------------------------
void check_local(Exec& x, const Inst* p, uint32_t lane, uint64_t offset, uint32_t bytes, bool write) {
  Warp& w = *x.warp;
  uint8_t* init = w.local_init.data() + size_t(lane) * w.local_stride + offset;
  if (write) {
    std::memset(init, 1, bytes);
    return;
  }
  for (uint32_t i = 0; i < bytes; ++i)
    if (!init[i]) {
      emit(x,
           finding(x, p, "uninitialized",
                   "This thread reads a local variable (an array in local memory) that it has not written.",
                   int(lane)));
      std::memset(init, 1, bytes);
      return;
    }
}

}  // namespace dojo::simt
