#include "gui/panels/markdown_words.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <set>
#include <utility>

#include "gui/look.hpp"
#include "gui/model/text/highlight.hpp"
#include "gui/panels/glossary_view.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

namespace {
/// Terms already marked on this page: only a term's first occurrence is marked.
std::set<const Term*> marked;

}  // namespace

void begin_page() { marked.clear(); }

std::vector<Word> words_of(const MdText& text, ImFont* base, ImU32 colour, float room) {
  auto& t = theme();
  std::vector<Word> out;
  for (auto& span : text) {
    ImFont* f = base;
    ImU32 c = colour;
    const bool slanted = span.kind == MdSpan::italic;
    bool box = false;
    std::string s = span.s;
    const std::string* target = nullptr;
    switch (span.kind) {
      case MdSpan::text:
      case MdSpan::italic:
        break;
      case MdSpan::bold:
        f = base == fonts().ui ? fonts().strong : base;
        break;
      case MdSpan::code:
        f = base == fonts().small ? fonts().mono_small : fonts().mono;
        c = t.code[int(Token::string)], box = true;
        break;
      case MdSpan::live:
        f = fonts().strong, c = t.accent, box = true;
        break;
      case MdSpan::link:
        c = t.accent, target = &span.target;
        break;
    }
    std::vector<Glossary::Mark> terms;
    if (glossary() && !for_print() && base != fonts().title &&
        (span.kind == MdSpan::text || span.kind == MdSpan::bold || span.kind == MdSpan::italic)) {
      terms = glossary()->marks(s);
      std::erase_if(terms, [](auto& m) { return !marked.insert(m.term).second; });
    }
    auto next = terms.begin();
    // A box never breaks unless it is long, or wider than the column.
    const bool whole = box && s.size() < 40 && text_size(f, s).x + px(8) <= room;
    size_t at = 0;
    while (at < s.size()) {
      size_t e = at;
      bool space = s[at] == ' ';
      while (next != terms.end() && next->to <= at) ++next;
      const bool inside = next != terms.end() && at >= next->from;
      const size_t edge = next == terms.end() ? s.size() : inside ? next->to : next->from;
      if (whole)
        e = s.size(), space = false;
      else
        while (e < edge && (s[e] == ' ') == space) ++e;
      Word w{s.substr(at, e - at), f, c, space, box, target, 0, inside ? next->term : nullptr, slanted};
      if (space) w.s = " ";
      // A box that is broken is one box all the same: room at its two ends only.
      const bool ends = box && e == s.size();
      w.before = box && at == 0 ? px(4) : 0;
      w.width = w.before + text_size(f, w.s).x + (ends ? px(4) : 0);
      // The line must not break elsewhere when the number comes.
      if (span.kind == MdSpan::live) w.width = std::max(w.width, text_size(f, "00.00").x + px(8));
      out.push_back(w);
      at = e;
    }
  }
  return out;
}

namespace {
/// A space between a number and its unit: no line ends there.
bool joins_unit(const std::vector<Word>& words, size_t space) {
  static const std::set<std::string> units = {"ns",  "µs",  "us",   "ms",   "s",       "%",
                                              "KiB", "MiB", "GB/s", "TB/s", "TFLOP/s", "GHz"};
  if (space == 0 || space + 1 >= words.size() || words[space - 1].s.empty()) return false;
  std::string after = words[space + 1].s;
  while (!after.empty() && std::strchr(".,;:)", after.back())) after.pop_back();
  // The box of a live number has no digit before the first run.
  const Word& before = words[space - 1];
  return (before.box || std::isdigit(static_cast<unsigned char>(before.s.back()))) && units.count(after) > 0;
}

float lines_apart = 1.5f;  // of lines: leading()
}  // namespace

float leading() { return lines_apart; }
float set_leading(float next) { return std::exchange(lines_apart, next); }
float line_height(ImFont* base) { return std::floor(base->FontSize * lines_apart); }

namespace {

/// Italics, of a font that has none: the letters drawn since `first` lean to the right above their base line.
/// On paper they stay upright, as a letter is found there by its place.
void slant(ImDrawList* draw, int first, float base_line) {
  constexpr float lean = 0.2f;
  if (for_print()) return;
  for (int i = first; i < draw->VtxBuffer.Size; ++i)
    draw->VtxBuffer[i].pos.x += lean * (base_line - draw->VtxBuffer[i].pos.y);
}

/// A piece's letters in a line of height `lh` at q, its line where it is a term or a link.
void draw_letters(ImDrawList* draw, const Word& k, ImVec2 q, float lh, std::string* clicked) {
  const float ty = q.y + (lh - k.font->FontSize) / 2, left = q.x;
  q.x += k.before;
  const int first = draw->VtxBuffer.Size;
  text_at(draw, k.font, {q.x, ty}, k.colour, k.s);
  if (k.slanted) slant(draw, first, std::floor(ty) + k.font->Ascent);
  if (k.term) mark_term(draw, *k.term, {q.x, ty}, {q.x + k.width, ty + k.font->FontSize + px(1)});
  if (!k.target) return;
  const ImVec2 a = {left, q.y}, b = {left + k.width, q.y + lh};
  draw->AddLine({a.x, ty + k.font->FontSize}, {b.x, ty + k.font->FontSize}, fade(k.colour, 0.6f));
  if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(a, b)) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsMouseClicked(0) && clicked) *clicked = *k.target;
  }
}

/// Calls `at(word, x, y, joined)` for every piece that is no space: `joined` are the pixels of spaces between
/// it and the piece of its box before it on this line, else 0. Returns the height.
template <class F>
float set_words(const std::vector<Word>& words, float width, float lh, F at) {
  float x = 0, y = 0, joined = 0;
  const auto space = [&](const Word& k) {
    if (x > 0) x += k.width;
    joined = x > 0 && k.box ? joined + k.width : 0;
  };
  for (size_t i = 0; i < words.size();) {
    if (words[i].space) {
      space(words[i++]);
      continue;
    }
    // A word is all pieces up to the next space: "`a`," must not break before the comma.
    size_t e = i;
    float w = 0;
    while (e < words.size() && (!words[e].space || joins_unit(words, e))) w += words[e++].width;
    if (x > 0 && x + w > width) x = joined = 0, y += lh;
    for (; i < e; ++i) {
      const Word& k = words[i];
      if (k.space) {
        space(k);
        continue;
      }
      if (x > 0 && x + k.width > width) x = joined = 0, y += lh;
      at(k, x, y, joined);
      x += k.width;
      joined = 0;
    }
  }
  return y + lh;
}

}  // namespace

float flow(ImDrawList* draw, ImVec2 p, const std::vector<Word>& words, float width, ImFont* base,
           std::string* clicked) {
  const float lh = line_height(base);
  if (!draw) return set_words(words, width, lh, [](auto&&...) {});
  // Boxes first: one that goes on behind a space reaches back under the letters before it.
  set_words(words, width, lh, [&](const Word& k, float x, float y, float joined) {
    if (!k.box) return;
    const ImVec2 q = {std::floor(p.x + x), p.y + y};
    // By twice its corner's radius: the corners of the piece before it are covered, too.
    const float from = q.x - (joined > 0 ? joined + px(8) : 0);
    draw->AddRectFilled({from, q.y + px(2)}, {q.x + k.width - px(1), q.y + lh - px(2)}, theme().raised,
                        px(4));
  });
  return set_words(words, width, lh, [&](const Word& k, float x, float y, float) {
    draw_letters(draw, k, {std::floor(p.x + x), p.y + y}, lh, clicked);
  });
}

}  // namespace dojo::gui
