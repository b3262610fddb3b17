#include "gui/card.hpp"

#include <algorithm>
#include <string>

#include "gui/panels/widgets.hpp"

namespace dojo::gui {

void card_begin(const char* id, UiState& ui, Overlay card, ImVec2 size, float top_share) {
  auto& t = theme();
  ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(screen);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, IM_COL32(0, 0, 0, t.dark ? 130 : 70));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  std::string dim = std::string(id) + " dim";
  ImGui::Begin(dim.c_str(), nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoNav);
  if (ImGui::IsWindowHovered() && ImGui::IsMouseClicked(0)) ui.close(card);
  ImGui::End();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
  ImGui::SetNextWindowPos({screen.x / 2, screen.y * top_share}, ImGuiCond_Always,
                          {0.5f, top_share > 0.3f ? 0.5f : 0});
  ImGui::SetNextWindowSize(
      {std::min(size.x, screen.x - px(24)), size.y > 0 ? std::min(size.y, screen.y - px(24)) : 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(20), px(18)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(10));
  ImGuiWindowFlags flags =
      ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;
  if (size.y <= 0) flags |= ImGuiWindowFlags_AlwaysAutoResize;
  ImGui::SetNextWindowFocus();
  ImGui::Begin(id, nullptr, flags);
  ImGui::PopStyleVar(2);
}

}  // namespace dojo::gui
