#include "simt/state/access.hpp"

#include <algorithm>
#include <array>

#include "core/bytes.hpp"

namespace dojo::simt {

namespace {

/// True if the active lanes l and l ^ bit have the same address, for all l.
bool paired(const Span& s, uint32_t bit) {
  DOJO_FOR_LANES(l, s.mask) {
    if ((s.mask >> (l ^ bit) & 1) && s.at(l) != s.at(l ^ bit)) return false;
  }
  return true;
}

}  // namespace

namespace {

/// Small set of words with constant-time membership; a generation number empties it.
struct WordSet {
  uint64_t key[256];
  uint32_t at[256] = {};
  uint32_t generation = 0;
  void clear() {
    if (++generation == 0) {
      std::memset(at, 0, sizeof at);
      generation = 1;
    }
  }
  /// True when new.
  bool add(uint64_t v) {
    uint32_t i = uint32_t((v * 0x9E3779B97F4A7C15ull) >> 56);
    while (at[i] == generation) {
      if (key[i] == v) return false;
      i = (i + 1) & 255;
    }
    at[i] = generation;
    key[i] = v;
    return true;
  }
};
WordSet& word_set() {
  static thread_local WordSet set;
  set.clear();
  return set;
}

/// Wavefronts of accesses to one word a lane: the most distinct words that a bank must serve.
uint32_t single_word_wavefronts(const Span& s) {
  uint32_t banks = 0;
  DOJO_FOR_LANES(l, s.mask) banks |= 1u << (s.lanes[l] / 4 & 31);
  if (std::popcount(banks) == std::popcount(s.mask)) return 1;
  uint64_t word[32];
  uint32_t chain[32];       // the next lane of the same bank, plus one
  uint32_t first[32] = {};  // the last lane that came to a bank, plus one
  uint32_t count[32] = {}, worst = 0;
  DOJO_FOR_LANES(l, s.mask) {
    const uint64_t w = s.at(l) / 4;
    const uint32_t bank = uint32_t(w & 31);
    bool known = false;
    for (uint32_t k = first[bank]; k; k = chain[k - 1]) known |= word[k - 1] == w;
    if (known) continue;
    word[l] = w;
    chain[l] = first[bank];
    first[bank] = l + 1;
    worst = std::max(worst, ++count[bank]);
  }
  return worst;
}

/// Affine accesses by lanes without gaps, each within one sector: the closed form. False: not of this kind.
bool plain_sectors(const Span& s, uint32_t width, uint32_t* sectors, uint32_t* lines) {
  const uint32_t run = s.mask >> std::countr_zero(s.mask);
  if (!s.affine || (run & (run + 1)) || width > 32 || (width & (width - 1)) ||
      ((s.base | s.stride) & (width - 1)))
    return false;
  const uint64_t step = int64_t(s.stride) < 0 ? 0 - s.stride : s.stride;
  const uint32_t n = uint32_t(std::popcount(s.mask));
  auto distinct = [&](uint64_t unit) {
    // A step of at most a unit leaves out none in between.
    return step >= unit ? n : uint32_t((s.high + width - 1) / unit - s.low / unit + 1);
  };
  *sectors = distinct(32);
  *lines = distinct(128);
  return true;
}

}  // namespace

uint32_t shared_wavefronts(const Span& s, uint32_t width) {
  // 32 banks of 4 bytes. 8-byte accesses go by half-warps, 16-byte ones by quarter-warps; twice as many lanes
  // at a time where neighbours share (all l and l ^ 1, or all l and l ^ 2), since a pair's answer is then
  // sent once. Together with the plain rule this gives an H100's 10485760 wavefronts for the 2097152 16-byte
  // loads of a 128 x 128 x 8 matrix product at 1024: A's are broadcasts of two addresses (2), B's conflict
  // (8).
  if (s.affine && width <= 4 && (s.stride == 0 || s.stride == 4)) return 1;
  if (!s.affine && width <= 4) return single_word_wavefronts(s);
  uint32_t group = width <= 4 ? 32 : width <= 8 ? 16 : 8;
  if (group < 32 && (paired(s, 1) || paired(s, 2))) group *= 2;
  const uint32_t words = std::max(1u, width / 4);
  uint32_t total = 0;
  for (uint32_t first = 0; first < 32; first += group) {
    const uint32_t mask = s.mask & (group == 32 ? ~0u : ((1u << group) - 1) << first);
    if (!mask) continue;
    uint8_t count[32] = {};
    uint32_t worst = 0;
    if (s.affine && s.stride && !(s.stride & 3) && width <= 4) {
      // All lanes' words differ.
      const uint32_t step = uint32_t(s.stride / 4);
      DOJO_FOR_LANES(l, mask) worst = std::max<uint32_t>(worst, ++count[(step * l) & 31]);
      total += worst;
      continue;
    }
    WordSet& seen = word_set();
    DOJO_FOR_LANES(l, mask) {
      const uint64_t word = s.at(l) / 4;
      for (uint32_t w = 0; w < words; ++w)
        if (seen.add(word + w)) worst = std::max<uint32_t>(worst, ++count[(word + w) & 31]);
    }
    total += worst;
  }
  return total;
}

/// Lanes of a few rows, as in a block of two dimensions: they follow each other within a sector, and there
/// are so few sectors that each is looked for among all. False: there are more.
static bool few_sectors(const Span& s, uint32_t width, uint32_t* sectors, uint32_t* lines) {
  constexpr uint32_t most = 8;
  uint64_t found[most], before = ~uint64_t(0);
  uint32_t n = 0, m = 0, begins = s.mask;
  if (s.mask == ~0u && !s.affine && 32 % width == 0) {
    // Lanes in the sector of the lane before them add none, if no element reaches into a second sector.
    alignas(32) int32_t other[32];
    uint64_t bits = 0;
    for (int l = 1; l < 32; ++l) other[l] = -int32_t((s.lanes[l] ^ s.lanes[l - 1]) > 31), bits |= s.lanes[l];
    other[0] = -1;
    if (!((bits | s.lanes[0]) & (width - 1))) begins = simd::bits32(other);
  }
  DOJO_FOR_LANES(l, begins)
  for (uint64_t v = s.at(l) / 32, last = (s.at(l) + width - 1) / 32; v <= last; ++v) {
    if (v == before) continue;
    before = v;
    if (std::find(found, found + n, v) != found + n) continue;
    if (n == most) return false;
    found[n++] = v;
  }
  for (uint32_t i = 0; i < n; ++i)
    m += std::none_of(found, found + i, [&](uint64_t v) { return v / 4 == found[i] / 4; });
  *sectors = n;
  *lines = m;
  return true;
}

void global_sectors(const Span& s, uint32_t width, uint32_t* sectors, uint32_t* lines) {
  if (plain_sectors(s, width, sectors, lines)) return;
  uint32_t n = 0, m = 0;
  if (s.affine) {
    // In order: only the last sector and line can come again.
    const bool down = int64_t(s.stride) < 0;
    uint64_t next = 0, next_line = 0;  // the first sector and line not yet counted
    auto take = [&](uint64_t a) {
      const uint64_t first = std::max(a / 32, next), last = (a + width - 1) / 32;
      if (first <= last) n += uint32_t(last - first + 1), next = last + 1;
      const uint64_t first_line = std::max(a / 128, next_line), last_line = (a + width - 1) / 128;
      if (first_line <= last_line) m += uint32_t(last_line - first_line + 1), next_line = last_line + 1;
    };
    if (!down)
      DOJO_FOR_LANES(l, s.mask) take(s.at(l));
    else
      for (uint32_t left = s.mask; left;) {
        const uint32_t l = 31 - uint32_t(std::countl_zero(left));
        left &= ~(1u << l);
        take(s.at(l));
      }
    *sectors = n;
    *lines = m;
    return;
  }
  if (few_sectors(s, width, sectors, lines)) return;
  uint64_t found[64];
  {
    WordSet& seen = word_set();
    DOJO_FOR_LANES(l, s.mask)
    for (uint64_t v = s.at(l) / 32, last = (s.at(l) + width - 1) / 32; v <= last; ++v)
      if (seen.add(v) && n < 64) found[n++] = v / 4;
  }
  WordSet& seen = word_set();
  for (uint32_t i = 0; i < n; ++i) m += seen.add(found[i]);
  *sectors = n;
  *lines = m;
}

void count_new_shape(Exec& x, const Inst* p, AccessCount& c, const Span& s, uint32_t phase, uint32_t width) {
  (void)x;
  c.flush();
  c.stride = s.affine ? s.stride : ~uint64_t(0);
  c.mask = s.affine ? s.mask : 0;
  c.phase = phase;
  c.run = 1;
  c.lanes = uint16_t(std::popcount(s.mask));
  uint32_t sectors = 0, lines = 0;
  c.wavefronts = c.passes = 0;
  // Callers split generic accesses by memory, so any lane tells. Only affine spans have a least address.
  if (p->space == ptx::Space::shared ||
      (p->space == ptx::Space::none && s.at(uint32_t(std::countr_zero(s.mask))) < window::size)) {
    c.wavefronts = uint16_t(shared_wavefronts(s, width));
    c.passes = width <= 4 ? 1 : width <= 8 ? 2 : 4;
  } else if (p->space != ptx::Space::constant) {
    global_sectors(s, width, &sectors, &lines);
  }
  c.sectors = uint16_t(sectors);
  c.lines = uint16_t(lines);
  c.shape_hash =
      (uint64_t(c.wavefronts) << 48 | uint64_t(c.sectors) << 32 | uint64_t(c.lines) << 16 | c.lanes) *
          0xD6E8FEB86659FD93ull +
      1;
}

namespace {

/// The lines and sectors that the lanes touch.
void log_touched(Exec& x, const Inst* p, const Span& s, uint32_t width, LineAccess::Kind kind) {
  auto& log = x.block->log;
  const uint8_t warp = uint8_t(x.warp->index);
  if (s.affine && int64_t(s.stride) >= 0 && s.stride <= width && (s.mask & (s.mask + 1)) == 0) {
    // No gaps: whole runs of sectors.
    uint64_t sector = s.low / 32;
    const uint64_t last = (s.high + width - 1) / 32;
    while (sector <= last) {
      const uint64_t line = sector / 4;
      uint8_t m = 0;
      for (; sector <= last && sector / 4 == line; ++sector) m |= uint8_t(1u << (sector & 3));
      log.push_back({line, m, kind, warp, 0, p->ptx});
    }
    return;
  }
  const size_t first = log.size();
  if (s.affine && int64_t(s.stride) >= 0) {
    DOJO_FOR_LANES(l, s.mask)
    for (uint64_t v = s.at(l) / 32, to = (s.at(l) + width - 1) / 32; v <= to; ++v) {
      if (log.size() > first && log.back().line == v / 4)
        log.back().sectors |= uint8_t(1u << (v & 3));
      else
        log.push_back({v / 4, uint8_t(1u << (v & 3)), kind, warp, 0, p->ptx});
    }
    return;
  }
  DOJO_FOR_LANES(l, s.mask) {
    const uint64_t from = s.at(l) / 32, to = (s.at(l) + width - 1) / 32;
    for (uint64_t v = from; v <= to; ++v) {
      size_t k = log.size();
      while (k > first && log[k - 1].line != v / 4) --k;
      if (k > first)
        log[k - 1].sectors |= uint8_t(1u << (v & 3));
      else
        log.push_back({v / 4, uint8_t(1u << (v & 3)), kind, warp, 0, p->ptx});
    }
  }
}

/// Marks the sectors that a store doesn't fill, in what was logged from `first` on: lanes side by side, in
/// any order, fill those that they cover.
void mark_parts(std::vector<LineAccess>& log, size_t first, const Span& s, uint32_t width) {
  if (s.affine && s.stride == width && (s.mask & (s.mask + 1)) == 0) {
    const uint64_t end = s.high + width;
    if (s.low % 32) log[first].turns |= uint8_t(1u << (s.low / 32 & 3));
    if (end % 32) log.back().turns |= uint8_t(1u << (end / 32 & 3));
    return;
  }
  for (size_t k = first; k < log.size(); ++k) log[k].turns = log[k].sectors;
  if (s.affine && std::min(s.stride, 0 - s.stride) != width) return;
  std::array<std::array<uint8_t, 4>, 64> bytes{};
  DOJO_FOR_LANES(l, s.mask) {
    const uint64_t sector = s.at(l) / 32;
    for (size_t k = first; k < std::min(log.size(), first + bytes.size()); ++k) {
      if (log[k].line != sector / 4) continue;
      uint8_t& b = bytes[k - first][sector & 3];
      b = uint8_t(b + width);
      if (b >= 32) log[k].turns &= uint8_t(~(1u << (sector & 3)));
      break;
    }
  }
}

}  // namespace

void log_lines(Exec& x, const Inst* p, const Span& s, uint32_t width, LineAccess::Kind kind) {
  const size_t first = x.block->log.size();
  log_touched(x, p, s, width, kind);
  if (kind == LineAccess::store) mark_parts(x.block->log, first, s, width);
}

uint32_t constant_words(const Span& s, uint32_t width) {
  uint64_t seen[32];
  uint32_t n = 0;
  DOJO_FOR_LANES(l, s.mask) {
    const uint64_t word = s.at(l);
    if (std::find(seen, seen + n, word) == seen + n) seen[n++] = word;
  }
  return n * std::max(1u, width / 8);
}

void log_invalidation(Exec& x, const Inst* p) {
  if (x.want_log && x.block)
    x.block->log.push_back({0, 0, LineAccess::invalidate, uint8_t(x.warp->index), 0, p->ptx});
}

uint32_t l1_passes(const Span& s, uint32_t width, uint32_t lines) {
  return std::max((lines + 3) / 4, shared_wavefronts(s, width));
}

void trace_access(Exec& x, const Inst* p, const AccessCount& c, uint32_t passes) {
  MemoryEvent e;
  e.inst = p->ptx;
  e.lanes = c.lanes;
  e.wavefronts = c.wavefronts ? c.wavefronts : c.lines;
  e.sectors = c.sectors;
  e.passes = uint16_t(passes);
  x.warp->trace->events.push_back(e);
  if (!x.warp->trace->steps.empty()) ++x.warp->trace->steps.back().events;
}

void note_remote(Exec& x, AccessCount& c, const Span& s, uint32_t width) {
  DOJO_FOR_LANES(l, s.mask) {
    const uint64_t rank = s.at(l) >> window::cta_shift;
    if (rank && rank != x.block->cluster_rank + 1) ++c.remote_lanes;
  }
  const uint64_t rank = s.at(uint32_t(std::countr_zero(s.mask))) >> window::cta_shift;
  if (rank == 0 || rank == x.block->cluster_rank + 1) return;
  x.sig = std::rotl(x.sig ^ 0xA24BAED4963EE407ull, 27) * 0x9E3779B97F4A7C15ull;
  if (!x.warp->trace) return;
  uint32_t sectors = 0, lines = 0;
  global_sectors(s, width, &sectors, &lines);
  MemoryEvent& e = x.warp->trace->events.back();
  e.remote = true;
  e.sectors = uint16_t(sectors);
}

std::byte* shared_bytes(Exec& x, uint64_t low, uint64_t high) {
  Block& b = *x.block;
  if (high <= b.shared_bytes && low <= high) [[likely]]
    return b.shared.data() + low;
  // shared::cluster: (rank + 1) << cta_shift | offset.
  const uint64_t rank = low >> window::cta_shift;
  if (rank && b.cluster && rank <= b.cluster->blocks.size()) {
    Block* other = b.cluster->blocks[rank - 1];
    const uint64_t offset = low & ((uint64_t(1) << window::cta_shift) - 1);
    if (other && offset + (high - low) <= other->shared_bytes) return other->shared.data() + offset;
  } else if (rank == 1 && !b.cluster) {
    const uint64_t offset = low & ((uint64_t(1) << window::cta_shift) - 1);
    if (offset + (high - low) <= b.shared_bytes) return b.shared.data() + offset;
  }
  return nullptr;
}

std::byte* local_bytes(Exec& x, uint32_t lane, uint64_t offset, uint32_t bytes) {
  Warp& w = *x.warp;
  const uint64_t end =
      x.frame->alloca_bytes ? x.frame->local_end() : x.frame->local_base + x.frame->code->fn->local_bytes;
  if (offset > end || bytes > end - offset) return nullptr;
  if (w.local_stride < end) {
    // Grow: lanes keep their bytes.
    const uint32_t stride =
        uint32_t((std::max<uint64_t>(end, 2 * uint64_t(w.local_stride)) + 63) & ~uint64_t(63));
    std::vector<std::byte> bigger(size_t(stride) * 32);
    std::vector<uint8_t> init(size_t(stride) * 32);
    for (uint32_t l = 0; l < 32 && w.local_stride; ++l) {
      copy_bytes(bigger.data() + size_t(l) * stride, w.local.data() + size_t(l) * w.local_stride,
                 w.local_stride);
      copy_bytes(init.data() + size_t(l) * stride, w.local_init.data() + size_t(l) * w.local_stride,
                 w.local_stride);
    }
    w.local = std::move(bigger);
    w.local_init = std::move(init);
    w.local_stride = stride;
  }
  return w.local.data() + size_t(lane) * w.local_stride + offset;
}

std::byte* lane_bytes(Exec& x, uint32_t lane, uint64_t address, size_t n) {
  if (!x.host) {
    if (window::in(address, window::shared))
      return shared_bytes(x, address - window::shared, address - window::shared + n);
    if (window::in(address, window::local)) return local_bytes(x, lane, address - window::local, uint32_t(n));
    if (window::in(address, window::param)) {
      auto& params = x.grid->node->spec.params;
      uint64_t o = address - window::param;
      return o + n <= params.size() ? const_cast<std::byte*>(params.data()) + o : nullptr;
    }
  }
  return x.memory->at(address, n);
}
std::string lane_string(Exec& x, uint32_t lane, uint64_t address) {
  std::string s;
  for (; s.size() < 4096; ++address) {
    std::byte* b = lane_bytes(x, lane, address, 1);
    if (!b || *b == std::byte(0)) break;
    s += char(*b);
  }
  return s;
}

}  // namespace dojo::simt
