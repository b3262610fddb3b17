// The current stop's memory accesses: banks and sectors, below the lanes that access them.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "core/text/numbers.hpp"
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
    return {fmt::format("Shared memory, {} bytes", grouped(double(tr.shared_bytes))), "a column is a bank",
            false, "Shared memory"};
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

namespace {

/// Shared memory as rows of 32 words, a column per bank, as many rows as there is room for. `gutter`: width
/// of the labels on the left.
class BankGrid {
 public:
  BankGrid(const SlowMotion& motion, const StepTrace::Access& access, ImVec2 from, ImVec2 size, float gutter)
      : m_(motion),
        view_(bank_view(*motion.trace(), access)),
        words_(int(motion.shared_words().size())),
        from_(from),
        size_(size),
        gutter_(gutter),
        column_((size.x - gutter_) / 32),
        font_(fonts().mono_small) {
    for (auto& bank : view_.banks)
      for (auto& c : bank) touched_.try_emplace(c.word, c.wavefront);
    lay_out();
  }

  /// What the mouse is over, in words. `first`, `excess`: are the fewest wavefronts and those beyond shown?
  std::string draw(ImDrawList*, bool first, bool excess) const;

 private:
  void lay_out();
  /// Accessed rows, then those with a known word, then from the top; at most `fit`.
  void choose_rows(int fit);
  void draw_label(ImDrawList*, size_t place) const;
  void draw_word(ImDrawList*, uint32_t word, ImVec2 from, ImVec2 to, bool first, bool excess) const;
  void draw_numbers(ImDrawList*) const;
  std::string words_of(uint32_t word) const;
  float left_of(int bank) const { return std::floor(from_.x + gutter_ + column_ * float(bank)); }

  const SlowMotion& m_;
  const BankView view_;
  const int words_;
  const ImVec2 from_, size_;
  const float gutter_, column_;
  ImFont* const font_;
  std::map<uint32_t, int> touched_;  ///< by word: the wavefront of the first lane that accesses it
  std::vector<int> rows_;            ///< shown, in order
  float row_ = 0;                    ///< height
};

void BankGrid::lay_out() {
  const float foot = std::max(px(16), font_->FontSize), room = size_.y - foot;
  const int all_rows = (words_ + 31) / 32;
  if (room < px(14) || !all_rows) return;
  // All accessed rows, if they are high enough to tell apart; labels are dropped first.
  std::set<uint32_t> hit;
  for (auto& [word, wavefront] : touched_) hit.insert(word / 32);
  const int need = std::clamp(int(hit.size()), std::min(all_rows, 8), all_rows);
  row_ = std::clamp(room / float(need), px(5), px(28));
  choose_rows(std::max(1, int(room / row_ + 0.01f)));
}

void BankGrid::choose_rows(int fit) {
  const int all_rows = (words_ + 31) / 32;
  auto want = [&](int r) {
    if (r >= 0 && r < all_rows && int(rows_.size()) < fit &&
        std::find(rows_.begin(), rows_.end(), r) == rows_.end())
      rows_.push_back(r);
  };
  for (auto& [word, wavefront] : touched_) want(int(word / 32));
  for (int r = 0; r < all_rows && int(rows_.size()) < fit; ++r)
    for (int b = 0; b < 32; ++b)
      if (m_.shared_known(size_t(r * 32 + b))) {
        want(r);
        break;
      }
  for (int r = 0; r < all_rows && int(rows_.size()) < fit; ++r) want(r);
  std::sort(rows_.begin(), rows_.end());
}

/// The byte that a row begins with. The first names the unit, as "SM 0" and "lane 0" do.
void BankGrid::draw_label(ImDrawList* d, size_t place) const {
  const std::string plain = std::to_string(rows_[place] * 128), named = "byte " + plain;
  const bool names = place == 0 && text_size(font_, named).x + px(4) <= gutter_;
  const float y = from_.y + row_ * float(place);
  text_at(d, font_, {from_.x, y + (row_ - font_->FontSize) / 2}, theme().faint, names ? named : plain);
}

void BankGrid::draw_word(ImDrawList* d, uint32_t word, ImVec2 from, ImVec2 to, bool first,
                         bool excess) const {
  auto& t = theme();
  const auto it = touched_.find(word);
  const bool known = m_.shared_known(word);
  ImU32 ground = int(word) >= words_ ? 0 : known ? mix(t.raised, t.text, 0.06f) : fade(t.raised, 0.7f);
  if (it != touched_.end() && (it->second < view_.ideal_wavefronts ? first : excess))
    ground = wavefront_colour(it->second, view_.ideal_wavefronts);
  const ImVec2 a{from.x, from.y + 1}, b{to.x, to.y - 1};
  if (ground) d->AddRectFilled(a, b, ground, px(2));
  if (m_.shared_fresh(word) && it == touched_.end()) d->AddRect(a, b, t.accent, px(2));
  if (!known || row_ < std::max(px(13), font_->FontSize)) return;
  const auto shown = m_.shared_is_float() ? StepTrace::Shown::float32 : StepTrace::Shown::integer;
  const float width = to.x - from.x;
  const std::string s = short_value(shown, m_.shared_words()[word], width - px(4), font_);
  if (!s.empty())
    text_at(d, font_, {from.x + (width - text_size(font_, s).x) / 2, from.y + (row_ - font_->FontSize) / 2},
            it != touched_.end() ? text_on(ground) : t.text, s);
}

std::string BankGrid::words_of(uint32_t word) const {
  std::string says = fmt::format("bank {}, byte {}\n", word % 32, word * 4);
  says += m_.shared_known(word)
              ? value_text(StepTrace::Shown::float32, m_.shared_words()[word]) + " as float, " +
                    value_text(StepTrace::Shown::integer, m_.shared_words()[word]) + " as int"
              : std::string("never written");
  std::string lanes;
  int wavefront = -1;
  for (auto& c : view_.banks[word % 32])
    if (c.word == word)
      lanes += (lanes.empty() ? "" : ", ") + std::to_string(c.lane), wavefront = c.wavefront;
  if (!lanes.empty())
    says += fmt::format("\nlane{} {} in wavefront {}", lanes.find(',') == std::string::npos ? "" : "s", lanes,
                        wavefront + 1);
  return says;
}

void BankGrid::draw_numbers(ImDrawList* d) const {
  const float y = from_.y + row_ * float(rows_.size()) + px(1);
  if (y + font_->FontSize > from_.y + size_.y + 1) return;
  text_at(d, font_, {from_.x, y}, theme().faint, "bank");
  const int step = every_number(column_, text_size(font_, "30").x, px(4));
  for (int b = 0; b < 32; b += step) {
    const std::string n = std::to_string(b);
    const float middle = from_.x + gutter_ + column_ * (float(b) + 0.5f);
    text_at(d, font_, {middle - text_size(font_, n).x / 2, y}, theme().faint, n);
  }
}

std::string BankGrid::draw(ImDrawList* d, bool first, bool excess) const {
  std::string hover;
  if (rows_.empty()) return hover;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto labelled = size_t(std::max(1, int(std::ceil((font_->FontSize + 1) / row_))));
  for (size_t k = 0; k < rows_.size(); ++k) {
    const float y = from_.y + row_ * float(k);
    if (k % labelled == 0) draw_label(d, k);
    if (k && rows_[k - 1] + 1 != rows_[k])
      d->AddLine({from_.x + gutter_, y - 0.5f}, {from_.x + size_.x, y - 0.5f}, theme().faint);
    for (int b = 0; b < 32; ++b) {
      const uint32_t word = uint32_t(rows_[k] * 32 + b);
      const float x = left_of(b), next = left_of(b + 1);
      draw_word(d, word, {x, y}, {next - 1, y + row_}, first, excess);
      if (ImGui::IsWindowHovered() && mouse.x >= x && mouse.x < next && mouse.y >= y && mouse.y < y + row_ &&
          int(word) < words_)
        hover = words_of(word);
    }
  }
  draw_numbers(d);
  return hover;
}

}  // namespace

std::string SlowMotionPanel::draw_banks(const StepTrace::Access& a, ImVec2 from, ImVec2 size, bool first,
                                        bool excess) {
  return BankGrid(s_.motion, a, from, size, lane_label()).draw(ImGui::GetWindowDrawList(), first, excess);
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
