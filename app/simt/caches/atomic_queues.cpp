#include "simt/caches/atomic_queues.hpp"

namespace dojo::simt {
namespace {

constexpr int slot_bits = 10;
constexpr uint64_t float_turns = 58;  // 1.757 ns over 0.73, in 24ths
constexpr double float_more = float_turns - 24;

}  // namespace

void AtomicQueues::clear() {
  queues_.assign(size_t(1) << slot_bits, {});
  sectors_.assign(size_t(1) << slot_bits, {});
  busiest_ = 0;
}

AtomicQueues::Held* AtomicQueues::hold(std::vector<Held>& all, uint64_t what, uint64_t turns) {
  Held& h = all[what * 0x9E3779B97F4A7C15ull >> (64 - slot_bits)];
  if (h.what != what && h.turns > 0) {
    h.turns -= std::min(h.turns, turns);
    return nullptr;
  }
  if (h.what != what) h = {what, 0};
  busiest_ = std::max(busiest_, h.turns += turns);
  return &h;
}

void AtomicQueues::take(const LineAccess& a) {
  const int sectors = std::popcount(unsigned(a.sectors & 15));
  const uint64_t turns = a.turns ? a.turns : packet_turns(sectors, 0);
  // Lines 0, 1, 4 and 5 of a kilobyte wait in one queue, 2, 3, 6 and 7 in the other.
  Held* queue = hold(queues_, a.line / 8 * 2 + (a.line / 2 & 1), turns * parts);
  if (a.kind != LineAccess::atomic_float) return;
  const uint64_t packets = std::max<uint64_t>(1, (turns + 2) / 3 / uint64_t(std::max(1, sectors)));
  for (unsigned s = 0; s < 4; ++s) {
    if (!(a.sectors >> s & 1)) continue;
    const Held* sector = hold(sectors_, a.line * 4 + s, packets * float_turns);
    if (!queue || !sector || sectors > 1) continue;  // a warp's own packets for several sectors come in turn
    const double now = double(sector->turns / float_turns), before = now - double(packets);
    queue->floats += double(packets);
    queue->squares += now * now - before * before;
    busiest_ = std::max(busiest_, queue->turns + uint64_t(float_more * queue->squares / queue->floats));
  }
}

}  // namespace dojo::simt
