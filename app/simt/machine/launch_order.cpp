#include "simt/machine/launch_order.hpp"

#include <algorithm>

namespace dojo::simt {

LaunchOrder::LaunchOrder(std::span<const LaunchNode> nodes,
                         const std::function<bool(uint32_t launch)>& early) {
  constexpr size_t most = 4096;  // 4 MiB of bits
  const auto has = [](const std::vector<uint32_t>& v, size_t i) {
    return std::find(v.begin(), v.end(), uint32_t(i)) != v.end();
  };
  for (size_t i = 1; i < nodes.size(); ++i)
    chain_ = chain_ && nodes[i].after_start.empty() && has(nodes[i].after, i - 1);
  unknown_ = !chain_ && nodes.size() > most;
  if (chain_ || unknown_) return;
  words_ = (nodes.size() + 63) / 64;
  for (auto& r : rows_) r.assign(nodes.size() * words_, 0);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const auto join = [&](bool to, bool from, uint32_t a) {
      for (size_t w = 0; w < words_; ++w) rows_[to][i * words_ + w] |= rows_[from][size_t(a) * words_ + w];
    };
    const auto add = [&](bool to, uint32_t a) {
      rows_[to][i * words_ + a / 64] |= uint64_t(1) << (a % 64);
      join(to, true, a);  // a stream goes on only when all that was in it is over
    };
    for (uint32_t a : nodes[i].after)
      for (bool to : {false, true}) add(to, a);
    for (uint32_t a : nodes[i].after_start) {
      if (!early(a)) add(false, a);
      join(false, false, a);  // it has started, so what it came after is over
      add(true, a);
    }
  }
}

}  // namespace dojo::simt
