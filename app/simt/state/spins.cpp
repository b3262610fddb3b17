#include "simt/state/spins.hpp"

#include <algorithm>
#include <cstring>

#include "simt/state/splits.hpp"

namespace dojo::simt {

void watch(Exec& x, uint64_t address, uint32_t bytes, const void* value) {
  ++x.touched;
  if (x.watches.size() > 256) return;
  for (uint32_t at = 0; at < bytes; at += 8) {
    Split::Watch w{address + at, 0, uint8_t(std::min<uint32_t>(8, bytes - at))};
    std::memcpy(&w.value, static_cast<const std::byte*>(value) + at, w.bytes);
    x.watches.push_back(w);
  }
}

bool spin_check(const Inst* p, Exec& x, const Inst* next) {
  Split& s = x.warp->splits[size_t(x.split)];
  const bool wrote = x.wrote, many = x.watches.size() > 256, blind = x.blind;
  std::vector<Split::Watch> seen = std::move(x.watches);
  x.watches.clear();
  x.touched = 0;
  x.wrote = x.blind = false;
  if (wrote || many) {
    s.spin_at = nullptr;
    return false;
  }
  // The frame is all that the next time round depends on, besides what is read.
  uint64_t h = x.mask;
  const uint32_t n = x.frame->code->frame_bytes / 8;
  const uint64_t* words = reinterpret_cast<const uint64_t*>(x.r);
  for (uint32_t i = 0; i < n; ++i) h = (h ^ words[i]) * 0x9E3779B97F4A7C15ull, h ^= h >> 29;
  uint64_t reads = x.mask;
  for (const Split::Watch& w : seen) reads = fold(fold(reads, w.address), w.value);
  const bool same_reads = s.spin_at == p && s.spin_reads == reads && !blind;
  s.spin_reads = reads;
  if (s.spin_at != p || s.spin_hash != h) {
    s.spin_at = p;
    s.spin_hash = h;
    if (same_reads) x.slice = -1, x.yielded = true;
    return false;
  }
  std::sort(seen.begin(), seen.end(),
            [](const Split::Watch& a, const Split::Watch& b) { return a.address < b.address; });
  seen.erase(std::unique(seen.begin(), seen.end(),
                         [](const Split::Watch& a, const Split::Watch& b) { return a.address == b.address; }),
             seen.end());
  s.watches = std::move(seen);
  suspend(next, x, Wait::parked);
  return true;
}

}  // namespace dojo::simt
