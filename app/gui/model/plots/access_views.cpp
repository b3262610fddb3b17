// A recorded access over banks and over sectors.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "gui/model/slow_motion.hpp"
#include "gui/model/text/line_heat.hpp"

namespace dojo::gui {

BankView bank_view(const StepTrace& t, const StepTrace::Access& a) {
  BankView v;
  v.wavefronts = a.wavefronts;
  v.ideal_wavefronts = a.fewest_wavefronts;
  // Lanes go in groups by width, as the machine counts them (simt/state/access_shape.cpp): a word is served
  // once per group.
  int group = a.bytes <= 4 ? 32 : a.bytes <= 8 ? 16 : 8;
  const int words = std::max(1, a.bytes / 4);
  int base = 0;
  const int groups_of_count = a.wavefronts;  // what was counted has the last word on how many there are
  for (int first = 0; first < 32; first += group) {
    std::array<std::vector<uint32_t>, 32> seen;
    int most = 0;
    for (int l = first; l < first + group && l < 32; ++l) {
      if (!(a.mask >> l & 1)) continue;
      const uint64_t at = address_of(t, a, uint32_t(l)) / 4;
      for (int w = 0; w < words; ++w) {
        const uint32_t word = uint32_t(at) + uint32_t(w);
        auto& list = seen[word & 31];
        auto it = std::find(list.begin(), list.end(), word);
        const int nth = int(it - list.begin());
        if (it == list.end()) list.push_back(word);
        most = std::max(most, int(list.size()));
        v.banks[word & 31].push_back({l, word, std::min(base + nth, std::max(0, groups_of_count - 1))});
      }
    }
    base += most;
  }
  return v;
}

SectorView sector_view(const StepTrace& t, const StepTrace::Access& a) {
  SectorView v;
  v.of_lane.fill(-1);
  std::map<uint64_t, SectorView::Sector> found;
  uint64_t low = ~uint64_t(0);
  for (uint32_t l = 0; l < 32; ++l) {
    if (!(a.mask >> l & 1)) continue;
    const uint64_t at = address_of(t, a, l);
    low = std::min(low, at);
    for (uint64_t b = at; b < at + a.bytes; ++b) {
      auto& s = found[b / 32];
      s.number = b / 32;
      s.lanes |= 1u << l;
      s.bytes |= 1u << (b % 32);
    }
  }
  uint64_t used = 0, line = ~uint64_t(0);
  for (auto& [number, s] : found) {
    v.sectors.push_back(s);
    used += uint64_t(std::popcount(s.bytes));
    if (number / 4 != line) ++v.lines, line = number / 4;
  }
  v.used_share = v.sectors.empty() ? 1 : double(used) / (32.0 * double(v.sectors.size()));
  v.fewest = int((used + 31) / 32);
  for (uint32_t l = 0; l < 32; ++l) {
    if (!(a.mask >> l & 1)) continue;
    const uint64_t n = address_of(t, a, l) / 32;
    v.of_lane[l] = int(std::lower_bound(v.sectors.begin(), v.sectors.end(), n,
                                        [](auto& s, uint64_t x) { return s.number < x; }) -
                       v.sectors.begin());
  }
  for (auto& r : t.regions)
    if (low >= r.base && low < r.base + r.bytes) v.region = r.name, v.offset = low - r.base;
  return v;
}

std::vector<LineAccesses> line_accesses(const StepTrace& t, StepTrace::Space space, const std::string& file) {
  std::map<int, LineAccesses> lines;
  for (size_t k = 0; k < t.steps.size(); ++k) {
    const auto& s = t.steps[k];
    const auto& c = t.code[s.code];
    if (!c.line || !same_file(c.file, file)) continue;
    for (uint32_t i = 0; i < s.access_count; ++i) {
      const uint32_t at = s.access - 1 + i;
      if (t.accesses[at].space != space) continue;
      auto& l = lines[c.line];
      l.line = c.line;
      l.all.push_back({at, uint32_t(k), s.warp});
      auto cost = [&](uint32_t x) {
        const auto& a = t.accesses[x];
        return space == StepTrace::Space::shared
                   ? double(a.wavefronts) - double(a.fewest_wavefronts)
                   : double(a.sectors) / double(std::max(1, std::popcount(a.mask)));
      };
      if (cost(at) > cost(l.all[l.worst].access)) l.worst = l.all.size() - 1;
    }
  }
  std::vector<LineAccesses> out;
  for (auto& [line, l] : lines) out.push_back(std::move(l));
  return out;
}

std::vector<LaneStep> lane_steps(const StepTrace& t, int warp) {
  std::vector<LaneStep> out;
  for (size_t k = 0; k < t.steps.size(); ++k)
    if (t.steps[k].warp == warp) out.push_back({t.steps[k].mask, t.code[t.steps[k].code].line, uint32_t(k)});
  return out;
}

Table lane_table(const StepTrace& t, int warp) {
  Table out{{"instruction", "line", "active", "mask", "text"}, {}};
  for (auto& s : lane_steps(t, warp))
    out.rows.push_back({std::to_string(out.rows.size()), std::to_string(s.line),
                        std::to_string(std::popcount(s.mask)), fmt::format("{:08x}", s.mask),
                        t.code[t.steps[s.step].code].text});
  return out;
}

Table access_table(const StepTrace& t, const StepTrace::Access& a) {
  const bool shared = a.space == StepTrace::Space::shared;
  Table out{shared ? std::vector<std::string>{"lane", "offset", "bytes", "bank", "wavefront"}
                   : std::vector<std::string>{"lane", "address", "bytes", "sector"},
            {}};
  const BankView banks = shared ? bank_view(t, a) : BankView{};
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if (!(a.mask >> lane & 1)) continue;
    const uint64_t at = address_of(t, a, lane);
    std::vector<std::string> row{std::to_string(lane), std::to_string(at), std::to_string(a.bytes)};
    if (shared) {
      const uint32_t bank = uint32_t(at / 4 % 32);
      int wavefront = 0;
      for (auto& c : banks.banks[bank])
        if (c.lane == int(lane)) wavefront = c.wavefront;
      row.push_back(std::to_string(bank));
      row.push_back(std::to_string(wavefront));
    } else {
      row.push_back(std::to_string(at / 32));
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

bool wasteful(const SectorView& v, const StepTrace::Access& a) {
  return v.used_share <= 0.5 && std::popcount(a.mask) > 1;
}

}  // namespace dojo::gui
