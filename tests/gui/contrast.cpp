// Every theme's text can be read on every ground it stands on.
#include <doctest/doctest.h>

#include <imgui.h>

#include <cmath>

#include "gui/theme.hpp"

using namespace dojo::gui;

namespace {
double luminance(ImU32 c) {
  const ImVec4 v = ImGui::ColorConvertU32ToFloat4(c);
  auto linear = [](float x) {
    return x <= 0.04045f ? double(x) / 12.92 : std::pow((double(x) + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(v.x) + 0.7152 * linear(v.y) + 0.0722 * linear(v.z);
}
/// As WCAG 2 defines it: 4.5 for text, 3 for graphics.
double ratio(ImU32 a, ImU32 b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}
}  // namespace

TEST_CASE("themes: text has a contrast of 4.5 on its grounds, what is drawn 3") {
  ImGui::CreateContext();
  for (const char* name : {"dark", "light", "contrast"}) {
    CAPTURE(name);
    set_theme(name, 1);
    const Theme t = theme();
    for (ImU32 ground : {t.ground, t.panel, t.raised}) {
      for (ImU32 text : {t.text, t.muted, t.faint, t.good, t.bad, t.warn, t.accent})
        CHECK(ratio(text, ground) >= 4.5);
    }
    for (ImU32 code : t.code) CHECK(ratio(code, mix(t.panel, t.ground, 0.45f)) >= 4.5);
    for (ImU32 series : t.series) CHECK(ratio(series, t.panel) >= 3);
    CHECK(ratio(t.on_accent, t.accent) >= 4.5);
    CHECK(ratio(t.muted, t.panel) > ratio(t.faint, t.panel) * 1.2);  // three steps that can be told apart
    CHECK(ratio(t.text, t.panel) > ratio(t.muted, t.panel) * 1.2);
  }
  ImGui::DestroyContext();
}
