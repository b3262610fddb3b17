// Counting of accesses: sums per instruction, the block's log of lines for the caches, and events of the
// warp's trace for the time model.
#include "simt/state/access.hpp"

#include <algorithm>
#include <array>

namespace dojo::simt {

void count_new_shape(const Inst* p, AccessCount& c, const Span& s, uint32_t phase, uint32_t width) {
  c.flush();
  c.stride = s.affine ? s.stride : ~uint64_t(0);
  c.mask = s.affine ? s.mask : 0;
  c.phase = phase;
  c.run = 1;
  c.lanes = uint16_t(std::popcount(s.mask));
  uint32_t sectors = 0, lines = 0;
  c.wavefronts = c.ideal_wavefronts = 0;
  // Callers split generic accesses by memory, so any lane tells. Only affine spans have a least address.
  if (p->space == ptx::Space::shared ||
      (p->space == ptx::Space::none && s.at(uint32_t(std::countr_zero(s.mask))) < window::size)) {
    c.wavefronts = uint16_t(shared_wavefronts(s, width));
    c.ideal_wavefronts = width <= 4 ? 1 : width <= 8 ? 2 : 4;
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

void log_invalidation(Exec& x, const Inst* p) {
  if (x.want_log && x.block)
    x.block->log.push_back({0, 0, LineAccess::invalidate, uint8_t(x.warp->index), 0, p->ptx});
}

void trace_access(Exec& x, const Inst* p, const AccessCount& c, uint32_t lsu_wavefronts) {
  MemoryEvent e;
  e.inst = p->ptx;
  e.lanes = c.lanes;
  e.wavefronts = c.wavefronts ? c.wavefronts : c.lines;
  e.sectors = c.sectors;
  e.lsu_wavefronts = uint16_t(lsu_wavefronts);
  x.warp->trace->events.push_back(e);
  if (!x.warp->trace->steps.empty()) ++x.warp->trace->steps.back().events;
}

void note_remote(Exec& x, AccessCount& c, const Span& s, uint32_t width) {
  DOJO_FOR_LANES(l, s.mask) {
    const uint64_t rank = cta_of(s.at(l));
    if (rank && rank != x.block->cluster_rank + 1) ++c.remote_lanes;
  }
  const uint64_t rank = cta_of(s.at(uint32_t(std::countr_zero(s.mask))));
  if (rank == 0 || rank == x.block->cluster_rank + 1) return;
  x.sig = fold(x.sig, 0xA24BAED4963EE407ull);
  if (!x.warp->trace) return;
  uint32_t sectors = 0, lines = 0;
  global_sectors(s, width, &sectors, &lines);
  MemoryEvent& e = x.warp->trace->events.back();
  e.remote = true;
  e.sectors = uint16_t(sectors);
}

void note_region(Exec& x, Region& r, bool write) {
  auto at = std::find_if(x.regions.begin(), x.regions.end(), [&](const auto& t) { return t.region == &r; });
  if (at == x.regions.end()) at = x.regions.insert(at, {&r, r.on_both()});
  (write ? at->written : at->read) = true;
}

}  // namespace dojo::simt
