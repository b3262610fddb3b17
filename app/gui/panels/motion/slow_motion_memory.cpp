// The current stop's memory accesses: banks and sectors, below the lanes that access them.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "gui/panels/focus.hpp"
#include "gui/panels/motion/slow_motion.hpp"
#include "gui/panels/motion/slow_motion_parts.hpp"

namespace dojo::gui {

void SlowMotionPanel::draw_memory(ImVec2 size) {
  auto& t = theme();
  auto& m = s_.motion;
  if (size.y < px(60)) return;
  ImGui::BeginChild("motion memory", size, false, ImGuiWindowFlags_NoScrollbar);
  ImVec2 p = ImGui::GetCursorScreenPos();
  ImDrawList* d = ImGui::GetWindowDrawList();
  auto all = m.accesses();
  // Only accesses of shared and global memory: others have no banks or sectors.
  std::erase_if(all, [](auto* a) {
    return a->space != StepTrace::Space::shared && a->space != StepTrace::Space::global;
  });
  float y = p.y;
  std::string hover;
  if (all.size() > 1) {
    for (int k = 0; k < int(all.size()) && k < 6; ++k) {
      auto* a = all[size_t(k)];
      ImGui::PushID(k);
      const bool on = access_ == k || (access_ < 0 && k + 1 == int(all.size()));
      if (k) ImGui::SameLine(0, px(4));
      if (pill(fmt::format("{} {}", a->space == StepTrace::Space::shared ? "shared" : "global",
                           a->atomic  ? "atomic"
                           : a->store ? "store"
                                      : "load")
                   .c_str(),
               on))
        access_ = k;
      ImGui::PopID();
    }
    y = ImGui::GetItemRectMax().y + px(5);
  }
  auto head = [&](const StepTrace::Access& one, ImU32 bad) {
    const AccessWords w = access_words(one);
    heading(d, {p.x, y}, w.title, w.note, size.x, w.bad ? bad : 0);
    y += px(24);
  };
  const StepTrace::Access* a =
      all.empty()
          ? nullptr
          : all[size_t(std::clamp(access_ < 0 ? int(all.size()) - 1 : access_, 0, int(all.size()) - 1))];
  if (a && a->space == StepTrace::Space::global) {
    head(*a, t.warn);
    hover = draw_touched(a, {p.x, y}, {size.x, p.y + size.y - y});
  } else if (a || m.trace()->shared_bytes) {
    static const StepTrace::Access none{StepTrace::Space::shared, 0, 0, 4, 0, 0, 0, 1, 0, 0};
    head(a ? *a : none, t.bad);
    hover = draw_touched(a, {p.x, y}, {size.x, p.y + size.y - y});
  } else {
    text_at(d, fonts().small, {p.x, y + px(4)}, t.muted,
            "This line touches no memory that other threads see.", size.x);
  }
  tip_at_mouse(hover);
  ImGui::EndChild();
}

std::string SlowMotionPanel::draw_touched(const StepTrace::Access* a, ImVec2 from, ImVec2 size) {
  static const StepTrace::Access none{StepTrace::Space::shared, 0, 0, 4, 0, 0, 0, 1, 0, 0};
  if (a && a->space == StepTrace::Space::global)
    return draw_sectors(*a, {from.x + lane_label(), from.y}, {lane_width(size.x) * 32, size.y});
  if (!s_.motion.trace()->shared_bytes) return {};
  return draw_banks(a ? *a : none, from, {size.x - lane_tail(size.x), size.y});
}

SlowMotionPanel::AccessWords SlowMotionPanel::access_words(const StepTrace::Access& a) const {
  const auto& tr = *s_.motion.trace();
  const bool shared = a.space == StepTrace::Space::shared;
  if (!a.mask)
    return {fmt::format("Shared memory, {} bytes", tr.shared_bytes), "a column is a bank", false,
            "Shared memory"};
  const std::string what = fmt::format("{} {} of {} bytes per lane", shared ? "Shared" : "Global",
                                       a.atomic  ? "atomic"
                                       : a.store ? "store"
                                                 : "load",
                                       a.bytes);
  if (shared) {
    const bool conflict = bank_view(tr, a).conflict();
    const std::string enough =
        fmt::format("{} {} enough", a.fewest_wavefronts, a.fewest_wavefronts == 1 ? "is" : "are");
    return {fmt::format("{}: {} wavefront{}", what, a.wavefronts, a.wavefronts == 1 ? "" : "s"),
            conflict ? "lanes meet in a bank; without that " + enough : "no conflict", conflict,
            conflict
                ? fmt::format("{} wavefronts where {}", a.wavefronts, enough)
                : fmt::format("{} wavefront{}, no conflict", a.wavefronts, a.wavefronts == 1 ? "" : "s")};
  }
  const SectorView v = sector_view(tr, a);
  std::string note = fmt::format("{:.0f} % of the bytes used", 100 * v.used_share);
  if (!v.region.empty()) note += fmt::format("; {} from byte {}", v.region, v.offset);
  return {fmt::format("{}: {} sector{}", what, v.sectors.size(), v.sectors.size() == 1 ? "" : "s"), note,
          wasteful(v, a),
          fmt::format("{} sector{}, {:.0f} % used", v.sectors.size(), v.sectors.size() == 1 ? "" : "s",
                      100 * v.used_share)};
}

std::string SlowMotionPanel::draw_banks(const StepTrace::Access& a, ImVec2 from, ImVec2 size, bool first,
                                        bool excess) {
  auto& t = theme();
  auto& m = s_.motion;
  ImDrawList* d = ImGui::GetWindowDrawList();
  const BankView v = bank_view(*m.trace(), a);
  const float top = from.y, foot = std::max(px(16), fonts().mono_small->FontSize), gutter = lane_label(),
              w = (size.x - gutter) / 32;
  const float room = from.y + size.y - top - foot;
  if (room < px(14)) return {};
  // By word: the first lane that accesses it; its wavefront gives the colour.
  struct Touch {
    int wavefront = 0, lane = 0, lanes = 0;
  };
  std::map<uint32_t, Touch> touched;
  for (auto& bank : v.banks)
    for (auto& c : bank) {
      auto [it, fresh] = touched.try_emplace(c.word, Touch{c.wavefront, c.lane, 0});
      ++it->second.lanes;
      (void)fresh;
    }
  const int words = int(m.shared_words().size()), all_rows = (words + 31) / 32;
  if (!all_rows) return {};
  // All accessed rows, if they are high enough to tell apart; labels are dropped first.
  std::set<uint32_t> hit;
  for (auto& [word, x] : touched) hit.insert(word / 32);
  const int need = std::clamp(int(hit.size()), std::min(all_rows, 8), all_rows);
  const float row = std::clamp(room / float(need), px(5), px(28));
  const int fit = std::max(1, int(room / row + 0.01f));
  const int labelled = std::max(1, int(std::ceil((fonts().mono_small->FontSize + 1) / row)));
  // Which rows to show: accessed ones, then changed ones, then from the top.
  std::vector<int> rows;
  auto want = [&](int r) {
    if (r >= 0 && r < all_rows && int(rows.size()) < fit &&
        std::find(rows.begin(), rows.end(), r) == rows.end())
      rows.push_back(r);
  };
  for (auto& [word, x] : touched) want(int(word / 32));
  for (int r = 0; r < all_rows && int(rows.size()) < fit; ++r)
    for (int b = 0; b < 32; ++b)
      if (m.shared_known(size_t(r * 32 + b))) {
        want(r);
        break;
      }
  for (int r = 0; r < all_rows && int(rows.size()) < fit; ++r) want(r);
  std::sort(rows.begin(), rows.end());
  ImFont* f = fonts().mono_small;
  std::string hover;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  for (size_t k = 0; k < rows.size(); ++k) {
    const float y = top + row * float(k);
    const int r = rows[k];
    if (k % size_t(labelled) == 0) {
      // The first names the unit, as "SM 0" and "lane 0" do.
      const std::string plain = std::to_string(r * 128), named = "byte " + plain;
      const bool names = k == 0 && text_size(f, named).x + px(4) <= gutter;
      text_at(d, f, {from.x, y + (row - f->FontSize) / 2}, t.faint, names ? named : plain);
    }
    if (k && rows[k - 1] + 1 != r)
      d->AddLine({from.x + gutter, y - 0.5f}, {from.x + size.x, y - 0.5f}, t.faint);
    for (int b = 0; b < 32; ++b) {
      const uint32_t word = uint32_t(r * 32 + b);
      const float x = std::floor(from.x + gutter + w * float(b)),
                  x1 = std::floor(from.x + gutter + w * float(b + 1)) - 1;
      const auto it = touched.find(word);
      const bool known = m.shared_known(word);
      ImU32 ground = int(word) >= words ? 0 : known ? mix(t.raised, t.text, 0.06f) : fade(t.raised, 0.7f);
      if (it != touched.end() && (it->second.wavefront < v.ideal_wavefronts ? first : excess))
        ground = wavefront_colour(it->second.wavefront, v.ideal_wavefronts);
      if (ground) d->AddRectFilled({x, y + 1}, {x1, y + row - 1}, ground, px(2));
      if (m.shared_fresh(word) && it == touched.end())
        d->AddRect({x, y + 1}, {x1, y + row - 1}, t.accent, px(2));
      if (known && row >= std::max(px(13), f->FontSize)) {
        const auto shown = m.shared_is_float() ? StepTrace::Shown::float32 : StepTrace::Shown::integer;
        std::string s = short_value(shown, m.shared_words()[word], x1 - x - px(4), f);
        if (!s.empty())
          text_at(d, f, {x + (x1 - x - text_size(f, s).x) / 2, y + (row - f->FontSize) / 2},
                  it != touched.end() ? text_on(ground) : t.text, s);
      }
      if (ImGui::IsWindowHovered() && mouse.x >= x && mouse.x < x1 + 1 && mouse.y >= y && mouse.y < y + row &&
          int(word) < words) {
        hover = fmt::format("bank {}, byte {}\n", b, word * 4);
        hover += known ? value_text(StepTrace::Shown::float32, m.shared_words()[word]) + " as float, " +
                             value_text(StepTrace::Shown::integer, m.shared_words()[word]) + " as int"
                       : std::string("never written");
        std::string lanes;
        int wavefront = -1;
        for (auto& c : v.banks[size_t(b)])
          if (c.word == word)
            lanes += (lanes.empty() ? "" : ", ") + std::to_string(c.lane), wavefront = c.wavefront;
        if (!lanes.empty())
          hover += fmt::format("\nlane{} {} in wavefront {}", lanes.find(',') == std::string::npos ? "" : "s",
                               lanes, wavefront + 1);
      }
    }
  }
  const float fy = top + row * float(rows.size()) + px(1);
  const bool numbers = fy + f->FontSize <= from.y + size.y + 1;
  if (numbers) text_at(d, f, {from.x, fy}, t.faint, "bank");
  if (numbers)
    for (int b = 0; b<32; b += w> px(18) ? 1 : 4) {
      std::string n = std::to_string(b);
      text_at(d, f, {from.x + gutter + w * (float(b) + 0.5f) - text_size(f, n).x / 2, fy}, t.faint, n);
    }
  return hover;
}

std::string SlowMotionPanel::draw_sectors(const StepTrace::Access& a, ImVec2 from, ImVec2 size, bool lanes,
                                          bool sectors) {
  auto& t = theme();
  auto& m = s_.motion;
  ImDrawList* d = ImGui::GetWindowDrawList();
  const SectorView v = sector_view(*m.trace(), a);
  if (v.sectors.empty()) return {};
  ImFont* f = fonts().mono_small;
  const float lane_w = size.x / 32, top = from.y, lane_h = std::min(px(20), size.y * 0.2f),
              foot = fonts().small->FontSize + px(4);
  const float bottom = from.y + size.y - foot, sector_h = std::min(px(24), size.y * 0.22f);
  if (bottom - sector_h < top + lane_h + px(8)) return {};
  // Consecutive sectors touch; a gap shows a jump of addresses.
  const float gap_w = px(7);
  int gaps = 0;
  for (size_t k = 1; k < v.sectors.size(); ++k) gaps += v.sectors[k].number != v.sectors[k - 1].number + 1;
  const float gw = std::min(gap_w, size.x * 0.3f / float(std::max(1, gaps)));
  const float sw = std::min(px(64), (size.x - gw * float(gaps)) / float(v.sectors.size()));
  std::vector<float> at(v.sectors.size());
  float x = from.x;
  for (size_t k = 0; k < v.sectors.size(); ++k) {
    if (k && v.sectors[k].number != v.sectors[k - 1].number + 1) x += gw;
    at[k] = x;
    x += sw;
  }
  std::string hover;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  for (size_t k = 0; k < v.sectors.size(); ++k) {
    auto& s = v.sectors[k];
    d->AddRectFilled({at[k] + (sw > 4 ? 1 : 0), bottom - sector_h}, {at[k] + sw, bottom},
                     mix(t.raised, t.text, 0.10f), sw > 8 ? px(3) : 0);
    for (int b = 0; b < 32 && sectors; ++b) {
      if (!(s.bytes >> b & 1)) continue;
      int to = b;
      while (to + 1 < 32 && s.bytes >> (to + 1) & 1) ++to;
      d->AddRectFilled({at[k] + sw * float(b) / 32 + (sw > 4 && b == 0 ? 1 : 0), bottom - sector_h},
                       {at[k] + sw * float(to + 1) / 32, bottom}, t.data[1],
                       to - b == 31 && sw > 8 ? px(3) : 0);
      b = to;
    }
    if (ImGui::IsWindowHovered() && mouse.x >= at[k] && mouse.x < at[k] + sw && mouse.y > bottom - sector_h &&
        mouse.y < bottom)
      hover =
          fmt::format("32 bytes at {:#x}\n{} of them used, by {} lane{}", s.number * 32,
                      std::popcount(s.bytes), std::popcount(s.lanes), std::popcount(s.lanes) == 1 ? "" : "s");
  }
  for (int l = 0; l < 32; ++l) {
    const float lx = from.x + lane_w * float(l);
    const bool on = a.mask >> l & 1;
    const bool here = ImGui::IsWindowHovered() && mouse.x >= lx && mouse.x < lx + lane_w &&
                      mouse.y < bottom - sector_h && mouse.y > top;
    if (on && lanes) {
      const size_t k = size_t(v.of_lane[size_t(l)]);
      const float sx =
          at[k] + sw * (float(address_of(*m.trace(), a, uint32_t(l)) % 32) + float(a.bytes) / 2) / 32;
      d->AddLine({lx + lane_w / 2, top + lane_h}, {std::min(sx, at[k] + sw), bottom - sector_h},
                 fade(here ? t.text : t.data[0], here ? 1.0f : 0.5f), here ? px(2) : px(1));
      if (here)
        hover = fmt::format("lane {}\naddress {:#x}, sector {} of {}", l,
                            address_of(*m.trace(), a, uint32_t(l)), k + 1, v.sectors.size());
    }
    d->AddRectFilled({lx + 1, top}, {lx + lane_w - 1, top + lane_h},
                     on && lanes ? t.data[0] : mix(t.raised, t.text, 0.08f), px(3));
    std::string n = std::to_string(l);
    if (lane_w > px(15) && lane_h >= f->FontSize * 0.8f)
      text_at(d, f, {lx + (lane_w - text_size(f, n).x) / 2, top + (lane_h - f->FontSize) / 2},
              on && lanes ? text_on(t.data[0]) : t.faint, n);
  }
  // Where a zoomed map begins left of its room, the words stay in it.
  text_at(d, fonts().small, {std::max(from.x, d->GetClipRectMin().x), bottom + px(3)}, t.faint,
          fmt::format("{} sector{} of 32 bytes in {} line{}; {} would hold these bytes", v.sectors.size(),
                      v.sectors.size() == 1 ? "" : "s", v.lines, v.lines == 1 ? "" : "s", v.fewest),
          d->GetClipRectMax().x - std::max(from.x, d->GetClipRectMin().x));
  return hover;
}

}  // namespace dojo::gui
