// Figures of all briefs as the window sets them.
#include <doctest/doctest.h>

#include <imgui_internal.h>

#include "core/paths.hpp"
#include "gui/model/text/source_pages.hpp"
#include "stage.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::Stage;

namespace {
/// The stage with the labs themselves instead of the test's.
void use_own_labs(Stage& st) {
  st.ui.reset();
  st.s.reset();
  st.s = std::make_unique<Session>(load_catalog(source_root()), std::make_unique<test::FakeRunner>(),
                                   Places{}, test::make_devices());
  st.ui = std::make_unique<Ui>(*st.s);
}

/// Width of a figure's box in the brief that is drawn, in columns of the usual type; 0: none is drawn.
double columns_drawn() {
  for (ImGuiWindow* w : ImGui::GetCurrentContext()->Windows)
    if (w->Active && w->ParentWindow &&
        std::string(w->ParentWindow->Name).find("/brief_") != std::string::npos)
      return double((w->Size.x - px(20)) / fonts().mono->GetCharAdvance('M'));
  return 0;
}
}  // namespace

TEST_CASE("no line of any step's figures is broken, scrolls or is too small at 1600 and 1920 pixels") {
  struct Screen {
    float width, height, scale;
    bool beside;  ///< every step's brief stands beside its code
  };
  for (Screen screen : {Screen{1600, 900, 1, true}, {1920, 1080, 1, true}, {3840, 2160, 2, true}}) {
    Stage st(screen.width, screen.height, "dark", screen.scale);
    use_own_labs(st);
    st.s->settings.brief_unfolded = true;
    CAPTURE(screen.width);
    int figures = 0, steps = 0, beside = 0;
    for (auto& lab : st.s->catalog().labs)
      for (auto& step : lab.steps) {
        CAPTURE(step.id());
        st.s->open(step.id());
        st.frames(2);
        ++steps;
        beside += st.ui->window.wide;
        for (auto& b : st.s->view()->brief) {
          if (b.kind != MdBlock::code) continue;
          const FittedFigure set = fit_figure(b.lines, columns_drawn());
          ++figures;
          CHECK(set.fits);
          CHECK(set.rows.size() == b.lines.size());
          CHECK(set.type >= legible_figure - 1e-3);
        }
      }
    CHECK(figures > 200);
    CHECK(beside > steps * 3 / 4);
    if (screen.beside) CHECK(beside == steps);
  }
}

TEST_CASE("a brief with wide figures takes room from the result and the code, but leaves both their least") {
  Stage st(1600, 900);
  use_own_labs(st);
  const auto width = [&](const char* name) {
    for (auto& [part, r] : st.ui->window.layout)
      if (part == name) return r.z - r.x;
    return 0.0f;
  };
  st.s->open("clusters/4");
  st.frames(2);
  REQUIRE(st.ui->window.wide);
  CHECK(width("brief column") > 470);
  CHECK(width("centre") >= 459);
  CHECK(width("verdict") >= 360);
  const auto& brief = st.s->view()->brief;
  const auto figure =
      std::find_if(brief.begin(), brief.end(), [](auto& b) { return b.kind == MdBlock::code; });
  REQUIRE(figure != brief.end());
  CHECK(fit_figure(figure->lines, columns_drawn()).type >= 0.84);
}

TEST_CASE("from 1500 pixels on every brief stands beside its code, with figures that are legible") {
  for (float across : {1500.0f, 1536.0f}) {
    Stage st(across, 864);
    use_own_labs(st);
    CAPTURE(across);
    int steps = 0, beside = 0, whole = 0, figures = 0;
    for (auto& lab : st.s->catalog().labs)
      for (auto& step : lab.steps) {
        CAPTURE(step.id());
        st.s->open(step.id());
        st.frames(2);
        ++steps;
        beside += st.ui->window.wide;
        for (auto& [part, r] : st.ui->window.layout)
          if (part == "centre") CHECK(r.z - r.x >= 355);
        for (auto& b : st.s->view()->brief) {
          if (b.kind != MdBlock::code) continue;
          const FittedFigure set = fit_figure(b.lines, columns_drawn());
          ++figures, whole += set.rows.size() == b.lines.size();
          CHECK(set.fits);
          CHECK(set.type >= 0.72);
        }
      }
    CHECK(beside == steps);
    CHECK(whole > figures / 2);
  }
}
