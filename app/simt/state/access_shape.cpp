// What one access of a warp costs the memory's parts: wavefronts of shared memory's banks, sectors and lines
// of global memory, words of constants. Each depends on the lanes' addresses alone.
#include <algorithm>

#include "simt/state/access.hpp"

namespace dojo::simt {

namespace {

/// True if the active lanes l and l ^ bit have the same address, for all l.
bool paired(const Span& s, uint32_t bit) {
  DOJO_FOR_LANES(l, s.mask) {
    if ((s.mask >> (l ^ bit) & 1) && s.at(l) != s.at(l ^ bit)) return false;
  }
  return true;
}

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
  uint64_t found[128];  // 32 lanes' elements of four words in local memory
  {
    WordSet& seen = word_set();
    DOJO_FOR_LANES(l, s.mask)
    for (uint64_t v = s.at(l) / 32, last = (s.at(l) + width - 1) / 32; v <= last; ++v)
      if (seen.add(v) && n < std::size(found)) found[n++] = v / 4;
  }
  WordSet& seen = word_set();
  for (uint32_t i = 0; i < n; ++i) m += seen.add(found[i]);
  *sectors = n;
  *lines = m;
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

uint32_t l1_wavefronts(const Span& s, uint32_t width, uint32_t lines) {
  // Eight lanes' elements of local memory: each lane's words lie in its own bank.
  if (width > 32) return std::max((lines + 3) / 4, width / 32);
  return std::max((lines + 3) / 4, shared_wavefronts(s, width));
}

}  // namespace dojo::simt
