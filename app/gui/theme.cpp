#include "gui/theme.hpp"

#include <algorithm>
#include <cmath>

#include "gui/look.hpp"

namespace dojo::gui {

namespace {
Theme current;
float current_scale = 1;
bool printing = false;

constexpr ImU32 rgb(unsigned v, unsigned a = 255) {
  return IM_COL32((v >> 16) & 255, (v >> 8) & 255, v & 255, a);
}

Theme dark() {
  Theme t{};
  t.dark = true;
  t.ground = rgb(0x0D1015), t.panel = rgb(0x14181F), t.raised = rgb(0x1E252E), t.hover = rgb(0x2A333F),
  t.press = rgb(0x354152);
  t.border = rgb(0x262E38), t.text = rgb(0xE7EBF0), t.muted = rgb(0x9CA8B5), t.faint = rgb(0x808C99);
  t.accent = rgb(0x56B4E9), t.on_accent = rgb(0x07121A), t.good = rgb(0x3ECF8E), t.bad = rgb(0xFF7A6B),
  t.warn = rgb(0xFFC24B);
  t.select = rgb(0x56B4E9, 70), t.mark = rgb(0x56B4E9, 26);
  const ImU32 s[] = {rgb(0x56B4E9), rgb(0xE69F00), rgb(0x2FBF97), rgb(0xF0E442), rgb(0xCC79A7)};
  const ImU32 data[] = {rgb(0x2FBF97), rgb(0xCC79A7), rgb(0xF0E442), rgb(0xA8A0FF)};
  const ImU32 c[] = {rgb(0xD7DEE6), rgb(0x7FB7FF), rgb(0x62D0C3), rgb(0xF5A97F), rgb(0xF0C674), rgb(0xB7C7FF),
                     rgb(0xD7A8F0), rgb(0xA9D67F), rgb(0x7C8794), rgb(0xC792EA), rgb(0x9FAAB6)};
  std::copy(s, s + 5, t.series);
  std::copy(data, data + 4, t.data);
  std::copy(c, c + 11, t.code);
  return t;
}

Theme light() {
  Theme t{};
  t.dark = false;
  t.ground = rgb(0xEDEFF2), t.panel = rgb(0xFFFFFF), t.raised = rgb(0xF0F2F5), t.hover = rgb(0xE2E7ED),
  t.press = rgb(0xD2DAE3);
  t.border = rgb(0xD5DAE1), t.text = rgb(0x1A222C), t.muted = rgb(0x4A5562), t.faint = rgb(0x606B77);
  t.accent = rgb(0x0069A8), t.on_accent = rgb(0xFFFFFF), t.good = rgb(0x0A7548), t.bad = rgb(0xBF2E21),
  t.warn = rgb(0x8A5800);
  t.select = rgb(0x0072B2, 55), t.mark = rgb(0x0072B2, 20);
  const ImU32 s[] = {rgb(0x0072B2), rgb(0xC77700), rgb(0x00805C), rgb(0x9C8A00), rgb(0xB0508A)};
  const ImU32 data[] = {rgb(0x00805C), rgb(0xB0508A), rgb(0x9C8A00), rgb(0x5B4FC0)};
  const ImU32 c[] = {rgb(0x1F2933), rgb(0x1F5FBF), rgb(0x0B7A75), rgb(0xA3461A), rgb(0x8A5800), rgb(0x3B4FB0),
                     rgb(0x7B3FA0), rgb(0x376E1A), rgb(0x5F6A77), rgb(0x8A3FB0), rgb(0x55606D)};
  std::copy(s, s + 5, t.series);
  std::copy(data, data + 4, t.data);
  std::copy(c, c + 11, t.code);
  return t;
}

Theme contrast() {
  Theme t = dark();
  t.ground = rgb(0x000000), t.panel = rgb(0x000000), t.raised = rgb(0x161616), t.hover = rgb(0x333333),
  t.press = rgb(0x4A4A4A);
  t.border = rgb(0x9A9A9A), t.text = rgb(0xFFFFFF), t.muted = rgb(0xDADADA), t.faint = rgb(0xA8A8A8);
  t.accent = rgb(0xFFD400), t.on_accent = rgb(0x000000), t.good = rgb(0x4DFFA6), t.bad = rgb(0xFF8A7A),
  t.warn = rgb(0xFFD400);
  t.select = rgb(0xFFD400, 90), t.mark = rgb(0xFFD400, 40);
  t.series[0] = rgb(0x6CC8FF);
  t.series[1] = rgb(0xFFB21A);
  t.code[0] = rgb(0xFFFFFF);
  t.code[8] = rgb(0xB8C4CF);
  t.code[10] = rgb(0xDADADA);
  return t;
}
ImVec4 v4(ImU32 c) { return ImGui::ColorConvertU32ToFloat4(c); }
}  // namespace

const Theme& theme() { return current; }
float px(float v) { return std::floor(v * current_scale + 0.5f); }
float ui_scale() { return current_scale; }

Look look_now() { return {current, fonts(), current_scale}; }
void set_look(const Look& l) {
  current = l.theme;
  use_fonts(l.fonts);
  current_scale = l.scale;
}
Look notes_look(float scale) {
  Look l = look_now();
  l.scale = scale;
  l.fonts.ui = l.fonts.notes, l.fonts.strong = l.fonts.notes_strong;
  l.fonts.title = l.fonts.notes_title, l.fonts.small = l.fonts.notes_small;
  return l;
}
bool for_print() { return printing; }
void set_for_print(bool on) { printing = on; }

ImU32 fade(ImU32 c, float a) {
  return (c & ~IM_COL32_A_MASK) |
         (ImU32(float((c >> IM_COL32_A_SHIFT) & 255) * a + 0.5f) << IM_COL32_A_SHIFT);
}

ImU32 mix(ImU32 a, ImU32 b, float t) {
  ImVec4 x = v4(a), y = v4(b);
  return ImGui::ColorConvertFloat4ToU32(
      {x.x + (y.x - x.x) * t, x.y + (y.y - x.y) * t, x.z + (y.z - x.z) * t, x.w + (y.w - x.w) * t});
}

ImU32 text_on(ImU32 ground) {
  const auto linear = [](float x) {
    return x <= 0.04045f ? x / 12.92f : std::pow((x + 0.055f) / 1.055f, 2.4f);
  };
  const ImVec4 c = v4(ground);
  const float luminance = 0.2126f * linear(c.x) + 0.7152f * linear(c.y) + 0.0722f * linear(c.z);
  // Contrast in WCAG 2: the lighter's luminance + 0.05 over the darker's + 0.05. Black's and white's are
  // equal at this one.
  constexpr float between = 0.179f;
  return luminance > between ? rgb(0x000000) : rgb(0xFFFFFF);
}

ImU32 Theme::heat(double h) const {
  float t = float(std::pow(std::min(1.0, std::max(0.0, h)), 0.6));
  ImU32 cold = dark ? rgb(0xE6B450) : rgb(0xE8A33D), hot = dark ? rgb(0xFF5A3C) : rgb(0xD93A1E);
  return fade(mix(cold, hot, t), 0.10f + 0.50f * t);
}

void set_theme(const std::string& name, float scale) {
  current = name == "light" ? light() : name == "contrast" ? contrast() : dark();
  current_scale = scale;
  auto& t = current;
  ImGuiStyle& s = ImGui::GetStyle();
  s = ImGuiStyle();
  s.WindowPadding = {12, 10};
  s.FramePadding = {10, 5};
  s.ItemSpacing = {8, 6};
  s.ItemInnerSpacing = {6, 4};
  s.CellPadding = {8, 4};
  s.ScrollbarSize = 11;
  s.ScrollbarRounding = 6;
  s.GrabRounding = 4;
  s.FrameRounding = 5;
  s.PopupRounding = 7;
  s.WindowRounding = 8;
  s.ChildRounding = 0;
  s.TabRounding = 5;
  s.WindowBorderSize = 1;
  s.PopupBorderSize = 1;
  s.ChildBorderSize = 0;
  s.FrameBorderSize = name == "contrast" ? 1.0f : 0.0f;
  s.IndentSpacing = 16;
  s.DisabledAlpha = 0.45f;
  s.ScaleAllSizes(scale);
  auto* c = s.Colors;
  for (int i = 0; i < ImGuiCol_COUNT; ++i) c[i] = v4(t.text);
  c[ImGuiCol_Text] = v4(t.text);
  c[ImGuiCol_TextDisabled] = v4(t.faint);
  c[ImGuiCol_WindowBg] = v4(t.panel);
  c[ImGuiCol_ChildBg] = v4(IM_COL32(0, 0, 0, 0));
  c[ImGuiCol_PopupBg] = v4(mix(t.panel, t.raised, 0.5f));
  c[ImGuiCol_Border] = v4(t.border);
  c[ImGuiCol_BorderShadow] = v4(IM_COL32(0, 0, 0, 0));
  c[ImGuiCol_FrameBg] = v4(t.raised);
  c[ImGuiCol_FrameBgHovered] = v4(t.hover);
  c[ImGuiCol_FrameBgActive] = v4(t.press);
  c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgActive] = c[ImGuiCol_TitleBgCollapsed] = v4(t.panel);
  c[ImGuiCol_MenuBarBg] = v4(t.panel);
  c[ImGuiCol_ScrollbarBg] = v4(IM_COL32(0, 0, 0, 0));
  c[ImGuiCol_ScrollbarGrab] = v4(fade(t.faint, 0.45f));
  c[ImGuiCol_ScrollbarGrabHovered] = v4(fade(t.faint, 0.75f));
  c[ImGuiCol_ScrollbarGrabActive] = v4(t.muted);
  c[ImGuiCol_CheckMark] = v4(t.accent);
  c[ImGuiCol_SliderGrab] = v4(t.accent);
  c[ImGuiCol_SliderGrabActive] = v4(t.accent);
  c[ImGuiCol_Button] = v4(t.raised);
  c[ImGuiCol_ButtonHovered] = v4(t.hover);
  c[ImGuiCol_ButtonActive] = v4(t.press);
  c[ImGuiCol_Header] = v4(t.mark);
  c[ImGuiCol_HeaderHovered] = v4(t.hover);
  c[ImGuiCol_HeaderActive] = v4(t.press);
  c[ImGuiCol_Separator] = v4(t.border);
  c[ImGuiCol_SeparatorHovered] = c[ImGuiCol_SeparatorActive] = v4(t.accent);
  c[ImGuiCol_ResizeGrip] = v4(IM_COL32(0, 0, 0, 0));
  c[ImGuiCol_ResizeGripHovered] = c[ImGuiCol_ResizeGripActive] = v4(t.accent);
  c[ImGuiCol_Tab] = v4(t.panel);
  c[ImGuiCol_TabHovered] = v4(t.hover);
  c[ImGuiCol_TabActive] = v4(t.raised);
  c[ImGuiCol_TabUnfocused] = v4(t.panel);
  c[ImGuiCol_TabUnfocusedActive] = v4(t.raised);
  c[ImGuiCol_TableHeaderBg] = v4(t.raised);
  c[ImGuiCol_TableBorderStrong] = c[ImGuiCol_TableBorderLight] = v4(t.border);
  c[ImGuiCol_TableRowBg] = v4(IM_COL32(0, 0, 0, 0));
  c[ImGuiCol_TableRowBgAlt] = v4(fade(t.raised, 0.5f));
  c[ImGuiCol_TextSelectedBg] = v4(t.select);
  c[ImGuiCol_DragDropTarget] = v4(t.accent);
  c[ImGuiCol_NavHighlight] = v4(t.accent);
  c[ImGuiCol_NavWindowingHighlight] = v4(t.accent);
  c[ImGuiCol_NavWindowingDimBg] = c[ImGuiCol_ModalWindowDimBg] = v4(IM_COL32(0, 0, 0, 120));
}

}  // namespace dojo::gui
