// Banks and sectors of a pattern that one can play with: stride, width, padding, swizzle.
#include <algorithm>
#include <set>

#include "gui/model/plots/plots.hpp"

namespace dojo::gui {

BankMap bank_map(const BankPattern& p) {
  BankMap m;
  m.lanes_of_bank.resize(32);
  int words = std::max(1, p.width / 4);
  m.ideal_wavefronts = words;
  // Wide accesses are served by groups of lanes that together ask for at most 128 bytes.
  int group = 32 / words, most_total = 0;
  for (int g = 0; g * group < p.lanes; ++g) {
    std::vector<std::set<int>> distinct(32);
    for (int lane = g * group; lane < std::min(p.lanes, (g + 1) * group); ++lane) {
      int element = lane * p.stride;
      if (p.swizzle) element = (element / 32) * 32 + ((element % 32) ^ ((element / 32) % 32));
      if (p.pad_every > 0) element += element / p.pad_every;
      for (int w = 0; w < words; ++w) {
        int word = element * words + w, bank = word % 32;
        distinct[size_t(bank)].insert(word);
        if (w == 0) m.lanes_of_bank[size_t(bank)].push_back(lane);
      }
    }
    size_t most = 0;
    for (auto& d : distinct) most = std::max(most, d.size());
    most_total += int(most);
  }
  m.wavefronts = most_total;
  return m;
}

AddressMap address_map(const AddressPattern& p) {
  AddressMap m;
  std::set<int> sectors;
  for (int lane = 0; lane < p.lanes; ++lane) {
    int first = p.offset + lane * p.stride * p.width;
    m.sector_of_lane.push_back(first / 32);
    for (int s = first / 32; s <= (first + p.width - 1) / 32; ++s) sectors.insert(s);
  }
  m.sectors.assign(sectors.begin(), sectors.end());
  // Lanes with stride 0 all ask for the same bytes.
  double asked = p.stride == 0 ? p.width : double(p.lanes) * p.width;
  m.used_share = m.sectors.empty() ? 0 : asked / (32.0 * double(m.sectors.size()));
  return m;
}

}  // namespace dojo::gui
