#include "gui/plot/frame.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "gui/look.hpp"
#include "gui/panels/focus.hpp"
#include "gui/panels/glossary_view.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/theme.hpp"

namespace dojo::gui {

namespace {
void interact(PlotFrame& f, PlotArea& a) {
  ImGuiIO& io = ImGui::GetIO();
  double cx = (io.MousePos.x - a.min.x) / a.width(), cy = (a.max.y - io.MousePos.y) / a.height();
  bool active = ImGui::IsItemActive();
  if (a.hovered && io.MouseWheel != 0) f.view.zoom(cx, cy, std::pow(0.85, io.MouseWheel));
  if (a.hovered && ImGui::IsMouseDoubleClicked(0)) f.view.fit();
  bool box_button = ImGui::IsMouseDown(1) || (ImGui::IsMouseDown(0) && io.KeyShift);
  if (active && !f.boxing && (ImGui::IsMouseClicked(1) || (ImGui::IsMouseClicked(0) && io.KeyShift))) {
    f.boxing = true;
    f.box_from = io.MousePos;
  }
  if (active && !f.boxing && ImGui::IsMouseDragging(0, 2)) {
    f.view.pan(io.MouseDelta.x / a.width(), -io.MouseDelta.y / a.height());
    if (io.MouseDelta.x != 0 || io.MouseDelta.y != 0) f.view.moved = true;
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
  }
  if (f.boxing && !box_button) {
    f.boxing = false;
    auto u = [&](float x) { return std::clamp(double(x - a.min.x) / a.width(), 0.0, 1.0); };
    auto v = [&](float y) { return std::clamp(double(a.max.y - y) / a.height(), 0.0, 1.0); };
    if (std::fabs(io.MousePos.x - f.box_from.x) > 4)
      f.view.box(u(f.box_from.x), v(f.box_from.y), u(io.MousePos.x), v(io.MousePos.y));
  }
  // By keyboard, while the plot has the focus: arrows pan, + and − zoom, Home fits.
  if (ImGui::IsItemFocused() && !io.WantTextInput && !io.KeyCtrl) {
    if (ImGui::IsKeyPressed('+') || ImGui::IsKeyPressed('=')) f.view.zoom(0.5, 0.5, 0.8);
    if (ImGui::IsKeyPressed('-')) f.view.zoom(0.5, 0.5, 1.25);
    if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Home))) f.view.fit();
  }
}

/// `name_width`: pixels at the right end of the x axis's numbers that its name covers.
void axes(const PlotSpec& spec, PlotArea& a, const std::vector<Tick>& xt, const std::vector<Tick>& yt,
          float name_width) {
  auto& t = theme();
  ImFont* f = fonts().small;
  float line = std::max(1.0f, px(1));
  // A grid stays behind what it measures, in a theme with bright lines too.
  const float strong =
                  0.8f / std::max(1.0f, ImGui::ColorConvertU32ToFloat4(t.border).x / (t.dark ? 0.25f : 1)),
              weak = strong / 2;
  for (auto& k : yt) {
    float y = std::floor(a.y(k.value));
    if (y < a.min.y - 1 || y > a.max.y + 1) continue;
    if (spec.grid) a.draw->AddLine({a.min.x, y}, {a.max.x, y}, fade(t.border, k.major ? strong : weak), line);
    if (k.label.empty()) continue;
    std::string s = spec.y_text ? spec.y_text(k.value) : k.label;
    ImVec2 z = text_size(f, s);
    text_at(a.draw, f, {a.min.x - z.x - px(6), y - z.y / 2}, t.muted, s);
    a.offer.y_ticks.push_back({k.value, s});
  }
  float last = -1e9f;
  const float end = a.frame_max.x - name_width;
  for (auto& k : xt) {
    if (spec.whole_x && std::fabs(k.value - std::round(k.value)) > 1e-9) continue;
    float x = std::floor(a.x(k.value));
    if (x < a.min.x - 1 || x > a.max.x + 1) continue;
    if (spec.grid) a.draw->AddLine({x, a.min.y}, {x, a.max.y}, fade(t.border, k.major ? strong : weak), line);
    if (k.label.empty()) continue;
    const std::string label = spec.whole_x ? grouped(std::round(k.value)) : k.label;
    ImVec2 z = text_size(f, label);
    float lx = std::clamp(x - z.x / 2, std::max(a.frame_min.x, a.min.x - px(8)),
                          std::max(a.min.x, a.frame_max.x - z.x));
    if (lx < last + px(6) || lx + z.x > end) continue;
    last = lx + z.x;
    text_at(a.draw, f, {lx, a.max.y + px(4)}, t.muted, label);
    a.offer.x_ticks.push_back(k.value);
  }
}
float title_height() { return px(24); }
float buttons_width(const PlotSpec& spec) {
  return for_print() ? 0 : title_height() * (spec.interactive ? 4 : 3) + px(2);
}
float title_width(const PlotSpec& spec, float width) { return width - buttons_width(spec) - px(8); }

/// The title left of the buttons, in the rows that it needs. In a plot that is too low for more than one it
/// is cut, and says itself in full under the mouse.
void draw_title(PlotArea& a, const PlotSpec& spec, ImVec2 size) {
  ImFont* f = fonts().strong;
  const float width = title_width(spec, size.x);
  ImVec2 at{a.frame_min.x, a.frame_min.y + (title_height() - f->FontSize) / 2};
  const bool cut = title_extra(spec, size) == 0;
  for (const std::string& line : cut ? std::vector{spec.title} : wrapped_lines(f, spec.title, width)) {
    text_at(a.draw, f, at, spec.title_colour ? spec.title_colour : theme().text, line, width);
    mark_terms(a.draw, f, at, line, width);
    a.offer.title_lines.push_back(fitted(f, line, width));
    at.y += f->FontSize;
  }
  const ImVec2 origin = a.frame_min;
  if (cut && text_size(f, spec.title).x > width && ImGui::IsWindowHovered() &&
      ImGui::IsMouseHoveringRect(origin, {origin.x + width, origin.y + title_height()}))
    ImGui::SetTooltip("%s", spec.title.c_str());
}

/// The buttons at the right end of the title's row.
void draw_buttons(PlotFrame& f, PlotArea& a, const PlotSpec& spec, float side, float width) {
  ImGui::SetCursorScreenPos({a.frame_max.x - width, a.frame_min.y});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  auto stands = [&](const char* button) {
    const ImVec2 lo = ImGui::GetItemRectMin(), hi = ImGui::GetItemRectMax();
    a.offer.buttons[button] = {(lo.x + hi.x) / 2, (lo.y + hi.y) / 2};
  };
  if (!for_print()) {
    if (spec.interactive) {
      if (icon_button("fit", Icon::fit, "Show all (double-click)", false, side)) f.view.fit();
      stands("fit");
      ImGui::SameLine();
    }
    a.want_csv = icon_button("csv", Icon::table, "Copy the figures as CSV", false, side);
    stands("csv");
    ImGui::SameLine();
    a.want_png = icon_button("png", Icon::picture, "Save as a picture (PNG)", false, side);
    stands("png");
    ImGui::SameLine();
    if (icon_button("note", Icon::question, "What am I looking at?", f.note, side)) f.note = !f.note;
    stands("note");
  }
  ImGui::PopStyleVar();
}

/// The legend below `top`, in as many rows as it needs; a click shows or hides a series. Returns where it
/// ends.
float draw_legend(PlotArea& a, std::vector<LegendItem>& legend, float top) {
  auto& t = theme();
  ImGui::SetCursorScreenPos({a.frame_min.x, top});
  ImFont* lf = fonts().small;
  float h = lf->FontSize + px(6);
  for (size_t i = 0; i < legend.size(); ++i) {
    auto& l = legend[i];
    float w = text_size(lf, l.label).x + px(24);
    if (i) ImGui::SameLine(0, px(4));
    if (i && ImGui::GetCursorScreenPos().x + w > a.frame_max.x) {
      top += h;
      ImGui::SetCursorScreenPos({a.frame_min.x, top});
    }
    ImVec2 p = ImGui::GetCursorScreenPos();
    ImGui::PushID(int(i));
    l.clicked = ImGui::InvisibleButton("legend", {w, h});
    bool hover = ImGui::IsItemHovered();
    focus_stop();
    tip(l.hidden ? "Show " + l.label : "Hide " + l.label);
    a.offer.legend.push_back({l.label, l.hidden, {p.x + w / 2, p.y + h / 2}});
    ImGui::PopID();
    if (hover) a.draw->AddRectFilled(p, {p.x + w, p.y + h}, t.hover, px(4));
    float m = px(10);
    ImVec2 q = {p.x + px(4), p.y + (h - m) / 2};
    if (l.hidden)
      a.draw->AddRect(q, {q.x + m, q.y + m}, l.colour, px(2));
    else
      a.draw->AddRectFilled(q, {q.x + m, q.y + m}, l.colour, px(2));
    text_at(a.draw, lf, {q.x + m + px(5), p.y + (h - lf->FontSize) / 2}, l.hidden ? t.faint : t.muted,
            l.label);
  }
  return top + h + px(4);
}

/// "What am I looking at?" below `top`. Returns where it ends.
float draw_note(const PlotArea& a, const std::string& note, float width, float top) {
  auto& t = theme();
  const float x = a.frame_min.x, inner = width - px(20);
  ImGui::SetCursorScreenPos({x, top});
  ImFont* nf = fonts().small;
  ImVec2 z = nf->CalcTextSizeA(nf->FontSize, FLT_MAX, inner, note.c_str());
  a.draw->AddRectFilled({x, top}, {a.frame_max.x, top + z.y + px(14)}, t.raised, px(6));
  a.draw->AddRectFilled({x, top}, {x + px(3), top + z.y + px(14)}, t.accent, px(2));
  a.draw->AddText(nf, nf->FontSize, {x + px(12), top + px(7)}, t.text, note.c_str(), nullptr, inner);
  return top + z.y + px(20);
}

/// Leaves room for the axes' labels below `top`, and draws them: `a.min` and `a.max` are the area of the data
/// then.
void lay_out_axes(PlotFrame& f, PlotArea& a, const PlotSpec& spec, float width, float top) {
  auto& t = theme();
  const ImVec2 origin = a.frame_min;
  float bottom = spec.bottom > 0 ? spec.bottom : (spec.x_ticks ? fonts().small->FontSize + px(6) : 0);
  // What x is in stands at the right end of its numbers; one that would cover many of them, below them. Rows
  // of bars (no y_ticks) need the height.
  if (!spec.x_label.empty()) bottom = std::max(bottom, fonts().small->FontSize + px(6));
  const float label_width = text_size(fonts().small, spec.x_label).x;
  const bool below =
      spec.x_ticks && spec.y_ticks && label_width > width * 0.2f && a.frame_max.y - top > px(150);
  if (below) bottom += fonts().small->FontSize + px(1);
  a.view = &f.view;
  a.max = {a.frame_max.x - px(4), a.frame_max.y - bottom - px(2)};
  float label_top = spec.y_label.empty() ? 0 : fonts().small->FontSize + px(4);
  a.min = {origin.x, top + label_top};
  if (a.max.y - a.min.y < px(30)) a.min.y = std::min(a.min.y, a.max.y - px(30));
  std::vector<Tick> yt;
  float left = spec.left;
  if (spec.y_ticks) {
    yt = ticks(f.view.y, a.height(), px(28));
    float widest = 0;
    for (auto& k : yt)
      if (!k.label.empty())
        widest = std::max(widest, text_size(fonts().small, spec.y_text ? spec.y_text(k.value) : k.label).x);
    if (left <= 0) left = widest + px(10);
  }
  a.min.x += left;
  auto xt = spec.x_ticks ? ticks(f.view.x, a.width(), px(56)) : std::vector<Tick>{};
  if (!spec.y_label.empty()) text_at(a.draw, fonts().small, {origin.x, top}, t.faint, spec.y_label, width);
  if (!spec.x_label.empty()) {
    ImVec2 z = text_size(fonts().small, spec.x_label);
    text_at(a.draw, fonts().small,
            {std::max(a.min.x, a.frame_max.x - z.x), a.max.y + px(4) + (below ? z.y + px(1) : 0)}, t.faint,
            spec.x_label);
  }
  axes(spec, a, xt, yt, below ? 0 : label_width + px(10));
}

/// The area takes the mouse.
void take_mouse(PlotFrame& f, PlotArea& a, const PlotSpec& spec) {
  if (spec.empty) return;
  ImGui::SetCursorScreenPos(a.min);
  ImGui::InvisibleButton("area", {std::max(1.0f, a.width()), std::max(1.0f, a.height())},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
  a.hovered = ImGui::IsItemHovered();
  if (spec.interactive) focus_stop(2);
  if (a.hovered) ImGui::SetItemUsingMouseWheel();
  a.mouse = ImGui::GetIO().MousePos;
  if (spec.interactive) interact(f, a);
}
}  // namespace

float title_extra(const PlotSpec& spec, ImVec2 size) {
  const float least_height = px(230);
  if (size.y < least_height) return 0;
  const size_t lines =
      wrapped_lines(fonts().strong, spec.title, title_width(spec, std::floor(size.x))).size();
  return lines > 1 ? fonts().strong->FontSize * float(lines - 1) : 0;
}

bool begin_plot(PlotFrame& f, const char* id, ImVec2 size, const PlotSpec& spec, PlotArea& a) {
  // Whole pixels: a clip edge inside a pixel row cuts labels apart.
  size = {std::floor(size.x), std::floor(size.y)};
  if (size.x < px(120) || size.y < px(90)) return false;
  ImGui::PushID(id);
  ImGui::BeginGroup();
  ImVec2 origin = ImGui::GetCursorScreenPos();
  a.draw = ImGui::GetWindowDrawList();
  a.frame_min = origin;
  a.frame_max = {origin.x + size.x, origin.y + size.y};
  a.id = id;
  a.offer = {};
  a.offer.title = spec.title, a.offer.note = spec.note, a.offer.zooms = spec.interactive;
  a.offer.units =
      !spec.units.empty()
          ? spec.units
          : spec.y_label + (spec.y_label.empty() || spec.x_label.empty() ? "" : ", ") + spec.x_label;
  draw_title(a, spec, size);
  draw_buttons(f, a, spec, title_height(), buttons_width(spec));
  float top = origin.y + title_height() + title_extra(spec, size) + px(2);
  if (spec.legend && !spec.legend->empty()) top = draw_legend(a, *spec.legend, top);
  if (f.note) top = draw_note(a, spec.note, size.x, top);
  lay_out_axes(f, a, spec, size.x, top);
  take_mouse(f, a, spec);
  a.offer.area = {a.min.x, a.min.y, a.max.x, a.max.y};
  a.offer.view = f.view;
  a.draw->PushClipRect(a.min, a.max, true);
  return true;
}

void end_plot(PlotFrame& f, PlotArea& a) {
  auto& t = theme();
  if (f.boxing) {
    ImVec2 m = {std::clamp(a.mouse.x, a.min.x, a.max.x), std::clamp(a.mouse.y, a.min.y, a.max.y)};
    ImVec2 p = f.box_from, q = m;
    if (f.view.keep_y) p.y = a.min.y, q.y = a.max.y;
    a.draw->AddRectFilled(p, q, fade(t.accent, 0.15f));
    a.draw->AddRect(p, q, t.accent);
  }
  a.draw->PopClipRect();
  ImGui::SetCursorScreenPos(a.frame_min);
  ImGui::Dummy({a.frame_max.x - a.frame_min.x, a.frame_max.y - a.frame_min.y});
  ImGui::EndGroup();
  ImGui::PopID();
}

void hover_box(const PlotArea& a, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  auto& t = theme();
  float w = 0, h = px(12);
  for (size_t i = 0; i < lines.size(); ++i) {
    ImVec2 z = text_size(i ? fonts().small : fonts().strong, lines[i]);
    w = std::max(w, z.x);
    h += z.y + px(2);
  }
  w += px(20);
  ImVec2 p = {a.mouse.x + px(14), a.mouse.y + px(14)};
  ImVec2 screen = ImGui::GetIO().DisplaySize;
  if (p.x + w > screen.x - px(4)) p.x = std::max(px(4), a.mouse.x - w - px(10));
  if (p.y + h > screen.y - px(4)) p.y = std::max(px(4), a.mouse.y - h - px(10));
  ImDrawList* d = ImGui::GetForegroundDrawList();
  d->AddRectFilled(p, {p.x + w, p.y + h}, mix(t.panel, t.raised, 0.7f), px(6));
  d->AddRect(p, {p.x + w, p.y + h}, t.border, px(6));
  float y = p.y + px(6);
  for (size_t i = 0; i < lines.size(); ++i) {
    ImFont* f = i ? fonts().small : fonts().strong;
    text_at(d, f, {p.x + px(10), y}, i ? t.muted : t.text, lines[i]);
    y += f->FontSize + px(2);
  }
}

}  // namespace dojo::gui
