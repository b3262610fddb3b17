#include "gui/panels/glossary_view.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "gui/card.hpp"
#include "gui/look.hpp"
#include "gui/panels/focus.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

namespace {
const Glossary* current = nullptr;

std::string see_also(const Term& t) {
  std::string out;
  for (auto& s : t.see) out += (out.empty() ? "See also: " : ", ") + s;
  return out;
}

bool contains(const std::string& text, const std::string& part) {
  auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}
}  // namespace

void set_glossary(const Glossary* g) { current = g; }
const Glossary* glossary() { return current; }

void mark_term(ImDrawList* d, const Term& term, ImVec2 from, ImVec2 to) {
  auto& t = theme();
  const float step = std::max(2.0f, px(3)), y = std::floor(to.y) - px(0.5f);
  for (float x = from.x; x < to.x - 1; x += step)
    d->AddRectFilled({x, y}, {std::min(x + step * 0.45f, to.x), y + std::max(1.0f, px(1))},
                     fade(t.accent, 0.75f));
  if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(from, {to.x, to.y + px(3)})) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(12), px(9)});
  // Below the term's line, which is being read; above it in the lower part of the window.
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const bool above = to.y > screen.y * 0.7f;
  const float wide = px(360), x_at = std::max(px(4), std::min(from.x, screen.x - wide - px(28)));
  ImGui::SetNextWindowPos({x_at, above ? from.y - px(6) : to.y + px(8)}, ImGuiCond_Always,
                          {0, above ? 1.0f : 0.0f});
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(wide);
  text_in(fonts().strong, t.text, term.name);
  text_in(fonts().small, t.text, term.text);
  if (!term.see.empty()) text_in(fonts().small, t.muted, see_also(term));
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

void mark_terms(ImDrawList* d, ImFont* f, ImVec2 at, const std::string& text, float width) {
  if (!current || for_print()) return;
  for (auto& m : current->marks(text)) {
    const float x0 = at.x + text_size(f, text.substr(0, m.from)).x;
    const float x1 = x0 + text_size(f, text.substr(m.from, m.to - m.from)).x;
    if (x1 > at.x + width) return;
    mark_term(d, *m.term, {x0, at.y}, {x1, at.y + f->FontSize + px(1)});
  }
}

void GlossaryPage::draw(UiState& ui, bool fresh) {
  auto& t = theme();
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  card_begin("glossary", ui, Overlay::glossary, {px(720), screen.y - px(90)}, 0.5f);
  text_in(fonts().title, t.text, "Glossary");
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - px(28));
  if (icon_button("close", Icon::cross, "Close (Esc)")) ui.close(Overlay::glossary);
  gap(4);
  if (fresh) {
    filter_[0] = 0;
    ImGui::SetKeyboardFocusHere();
  }
  ImGui::SetNextItemWidth(-1);
  as_stop(ImGui::InputTextWithHint("##term", "A term, such as wavefront", filter_, sizeof filter_));
  gap(6);
  ImGui::BeginChild("terms", {0, 0}, false);
  bool any = false;
  if (current)
    for (auto& term : current->terms()) {
      const bool named =
          contains(term.name, filter_) || std::any_of(term.also.begin(), term.also.end(),
                                                      [&](auto& form) { return contains(form, filter_); });
      if (!named && !(filter_[0] && contains(term.text, filter_))) continue;
      any = true;
      text_in(fonts().strong, t.text, term.name);
      text_wrapped_in(fonts().ui, t.text, term.text);
      if (!term.see.empty()) text_wrapped_in(fonts().small, t.muted, see_also(term));
      gap(8);
    }
  if (!any) text_in(fonts().ui, t.muted, "No term has these letters.");
  ImGui::EndChild();
  ImGui::End();
}

}  // namespace dojo::gui
