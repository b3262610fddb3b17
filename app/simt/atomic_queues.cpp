#include "simt/atomic_queues.hpp"

namespace dojo::simt {
namespace {

constexpr int slot_bits = 10;
constexpr uint64_t float_turns = 7;  // 1.757 ns over 0.735, in thirds

}  // namespace

void AtomicQueues::clear() {
  queues_.assign(size_t(1) << slot_bits, {});
  sectors_.assign(size_t(1) << slot_bits, {});
  busiest_ = 0;
}

void AtomicQueues::hold(std::vector<Held>& all, uint64_t what, uint64_t turns) {
  Held& h = all[what * 0x9E3779B97F4A7C15ull >> (64 - slot_bits)];
  if (h.what == what || h.turns == 0) {
    h.what = what;
    busiest_ = std::max(busiest_, h.turns += turns);
  } else {
    h.turns -= std::min(h.turns, turns);
  }
}

void AtomicQueues::take(const LineAccess& a) {
  const int sectors = std::popcount(unsigned(a.sectors & 15));
  const uint64_t turns = a.turns ? a.turns : packet_turns(sectors, 0);
  // Lines 0, 1, 4 and 5 of a kilobyte wait in one queue, 2, 3, 6 and 7 in the other.
  hold(queues_, a.line / 8 * 2 + (a.line / 2 & 1), turns);
  if (a.kind != LineAccess::atomic_float) return;
  const uint64_t packets = std::max<uint64_t>(1, (turns + 2) / 3 / uint64_t(std::max(1, sectors)));
  for (unsigned s = 0; s < 4; ++s)
    if (a.sectors >> s & 1) hold(sectors_, a.line * 4 + s, packets * float_turns);
}

}  // namespace dojo::simt
