#include "gui/panels/teaching/presenter.hpp"

#include <algorithm>
#include <ctime>

#include "gui/model/teaching/presenter.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

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
  // The slide's notes, large.
  ImGui::SetCursorScreenPos({pad, head + px(18)});
  ImGui::BeginChild("words", {screen.x - pad * 2, screen.y - head - foot - px(30)});
  text_wrapped_in(fonts().small, t.muted, page.title);
  gap(10);
  text_wrapped_in(fonts().title, page.notes.empty() ? t.faint : t.text,
                  page.notes.empty() ? "No notes for this slide." : page.notes);
  if (!page.answer.empty()) {
    gap(12);
    text_wrapped_in(fonts().ui, t.muted, page.answer);
  }
  ImGui::EndChild();
  // What comes next.
  const float top = screen.y - foot;
  d->AddRectFilled({0, top}, {screen.x, screen.y}, t.raised);
  d->AddRectFilled({0, top}, {px(4), screen.y}, t.accent);
  ImGui::SetCursorScreenPos({pad, top + px(14)});
  ImGui::BeginChild("next", {screen.x - pad * 2, foot - px(20)}, false, ImGuiWindowFlags_NoScrollbar);
  text_in(fonts().small, t.muted, page.next_title.empty() ? "This is the last slide." : "NEXT");
  if (!page.next_title.empty()) {
    text_wrapped_in(fonts().strong, t.text, page.next_title);
    text_wrapped_in(fonts().ui, t.muted, page.next_words);
  }
  ImGui::EndChild();
  ImGui::End();
  ImGui::PopStyleVar(3);
}

}  // namespace dojo::gui
