#include "simt/caches/atomic_queues.hpp"

namespace dojo::simt {
namespace {

constexpr int table_bits = 10;
constexpr double packet_parts = 24;

}  // namespace

void AtomicQueues::clear() {
  queues_.assign(size_t(1) << table_bits, {});
  sectors_.assign(size_t(1) << table_bits, {});
  busiest_ = 0;
}

AtomicQueues::Entry* AtomicQueues::add(std::vector<Entry>& table, uint64_t key, uint64_t busy) {
  Entry& e = table[key * 0x9E3779B97F4A7C15ull >> (64 - table_bits)];
  if (e.key != key && e.busy > 0) {
    e.busy -= std::min(e.busy, busy);
    return nullptr;
  }
  if (e.key != key) e = {key, 0};
  busiest_ = std::max(busiest_, e.busy += busy);
  return &e;
}

void AtomicQueues::take(const LineAccess& a) {
  const int sectors = std::popcount(unsigned(a.sectors & 15));
  const uint64_t turns = a.turns ? a.turns : packet_turns(sectors, 0);
  Entry* queue = add(queues_, a.line / 8 * 2 + (a.line / 2 & 1), turns * parts);
  if (a.kind != LineAccess::atomic_float) return;
  const uint64_t packets = std::max<uint64_t>(1, (turns + 2) / 3 / uint64_t(std::max(1, sectors)));
  for (unsigned s = 0; s < 4; ++s) {
    if (!(a.sectors >> s & 1)) continue;
    const Entry* sector = add(sectors_, a.line * 4 + s, packets * float_parts_);
    // A warp's own packets for several sectors alternate, so none follows one to its own sector.
    if (!queue || !sector || sectors > 1) continue;
    const double now = double(sector->busy / float_parts_), before = now - double(packets);
    queue->floats += double(packets);
    queue->squares += now * now - before * before;
    // In random order, an addition follows one to its own sector with probability squares / floats^2.
    const double extra = (double(float_parts_) - packet_parts) * queue->squares / queue->floats;
    busiest_ = std::max(busiest_, queue->busy + uint64_t(extra));
  }
}

}  // namespace dojo::simt
