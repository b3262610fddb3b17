#include "gui/panels/teaching/presenter.hpp"

#include <algorithm>
#include <ctime>

#include "gui/model/teaching/presenter.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

namespace {
/// The slide's notes, in a size to be read from nearby; long ones scroll. Each slide begins at its top.
void draw_words(const PresenterPage& page, ImVec2 at, ImVec2 size) {
  auto& t = theme();
  ImGui::SetCursorScreenPos(at);
  ImGui::BeginChild(("words of " + page.position).c_str(), size);
  text_wrapped_in(fonts().small, t.muted, page.title);
  gap(8);
  text_wrapped_in(fonts().ui, page.notes.empty() ? t.faint : t.text,
                  page.notes.empty() ? "No notes for this slide." : page.notes);
  if (!page.answer.empty()) {
    gap(12);
    text_wrapped_in(fonts().ui, t.muted, page.answer);
  }
  ImGui::EndChild();
}

/// What comes next: its title, and as many lines of its words as there is room for.
void draw_next(const PresenterPage& page, ImDrawList* d, ImVec2 at, ImVec2 size) {
  auto& t = theme();
  const float end = at.y + size.y;
  text_at(d, fonts().small, at, t.muted, page.next_title.empty() ? "This is the last slide." : "NEXT",
          size.x);
  at.y += fonts().small->FontSize + px(4);
  if (page.next_title.empty()) return;
  text_at(d, fonts().strong, at, t.text, page.next_title, size.x);
  at.y += fonts().strong->FontSize + px(4);
  ImFont* f = fonts().ui;
  const auto lines = wrapped_lines(f, page.next_words, size.x);
  for (size_t k = 0; k < lines.size() && at.y + f->FontSize <= end; ++k, at.y += f->FontSize + px(2)) {
    const bool cut = k + 1 < lines.size() && at.y + 2 * f->FontSize + px(2) > end;
    text_at(d, f, at, t.muted, fitted(f, cut ? lines[k] + " …" : lines[k], size.x));
  }
}
}  // namespace

void draw_presenter(const Session& s) {
  auto& t = theme();
  const PresenterPage page = presenter_page(s);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(screen);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::Begin("presenter", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  ImDrawList* d = ImGui::GetWindowDrawList();
  const float pad = px(24), head = px(56), foot = std::min(px(150), screen.y * 0.32f);
  // Head: where we are on the left, the clocks on the right.
  d->AddRectFilled({0, 0}, {screen.x, head}, t.raised);
  char now[16] = {};
  const std::time_t at = std::time(nullptr);
  std::tm local{};
  localtime_r(&at, &local);
  std::strftime(now, sizeof now, "%H:%M", &local);
  ImFont* big = fonts().title;
  const float y = (head - big->FontSize) / 2;
  float right = screen.x - pad;
  for (const std::string& text : {std::string(now), page.elapsed}) {
    const float w = text_size(big, text).x;
    text_at(d, big, {right - w, y}, text == now ? t.muted : t.accent, text);
    right -= w + px(28);
  }
  text_at(d, big, {pad, y}, t.text, page.position);
  const float pw = text_size(big, page.position).x + px(20);
  text_at(d, fonts().ui, {pad + pw, (head - fonts().ui->FontSize) / 2},
          page.state.starts_with("covered") ? t.warn : t.muted, page.state, right - pad - pw);
  draw_words(page, {pad, head + px(18)}, {screen.x - pad * 2, screen.y - head - foot - px(30)});
  const float top = screen.y - foot;
  d->AddRectFilled({0, top}, {screen.x, screen.y}, t.raised);
  d->AddRectFilled({0, top}, {px(4), screen.y}, t.accent);
  draw_next(page, d, {pad, top + px(14)}, {screen.x - pad * 2, foot - px(26)});
  ImGui::End();
  ImGui::PopStyleVar(3);
}

}  // namespace dojo::gui
