// Where the parts of the window stand at each size, and which plots a step offers.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "../near.hpp"
#include "gui/model/text/brief.hpp"
#include "stage.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::Stage;

namespace {
ImVec4 place(const Stage& st, const std::string& name) {
  for (auto& [n, r] : st.ui->window.layout)
    if (n == name) return r;
  return {};
}
long count(const Stage& st, const std::string& name) {
  return std::count_if(st.ui->window.layout.begin(), st.ui->window.layout.end(),
                       [&](auto& l) { return l.first == name; });
}
}  // namespace

TEST_CASE(
    "from 1500 px on brief, code and result stand side by side; below, the brief folds above the code") {
  for (auto [w, h, scale, wide] : {std::tuple{1500.f, 900.f, 1.f, true},
                                   {1920.f, 1080.f, 1.f, true},
                                   {3840.f, 2160.f, 2.f, true},
                                   {1280.f, 720.f, 1.f, false},
                                   {900.f, 600.f, 1.f, false}}) {
    Stage st(w, h, "dark", scale);
    st.s->open("demo/1");
    st.s->ui.tab = UiState::Tab::source;
    st.frames(3);
    CAPTURE(w);
    const ImVec4 brief = place(st, "brief column"), code = place(st, "centre"), result = place(st, "verdict");
    CHECK((brief.z > brief.x) == wide);
    if (wide) CHECK(brief.z <= code.x);
    CHECK(code.z <= result.x);
    CHECK(code.z - code.x >= 240 * scale);
    CHECK(result.z - result.x >= 360 * scale);
    CHECK(result.z <= w + 0.5f);
    const ImVec4 fold = place(st, "brief fold");
    CHECK((fold.z > fold.x) == !wide);
    if (wide) continue;
    CHECK(count(st, "prediction") == 0);
    st.click((fold.x + fold.z) / 2, (fold.y + fold.w) / 2);
    CHECK(st.s->settings.brief_unfolded);
    CHECK(count(st, "prediction") == 1);
  }
}

TEST_CASE("a brief's fold says what to do") {
  CHECK(to_do(parse_markdown("# Step\n\nSome words.\n\n**To do:** turn the loop round.\n")) ==
        "To do: turn the loop round.");
  CHECK(to_do(parse_markdown("# Step\n\nSome `words`.\n")) == "Some words.");
}

TEST_CASE("the prediction stands in the window once, before and after the run") {
  for (float w : {1280.f, 1600.f})
    for (auto tab : {UiState::Tab::brief, UiState::Tab::source}) {
      Stage st(w, 900);
      st.s->open("demo/1");
      st.s->predict("2");
      st.frames(30);
      REQUIRE(st.s->view()->has_report);
      st.s->ui.tab = tab;
      st.frames(3);
      CHECK(count(st, "prediction result") == 1);
    }
}

TEST_CASE("one card asks for the prediction, with the brief beside it too, and nothing in the brief moves") {
  for (float w : {1280.f, 1600.f}) {
    CAPTURE(w);
    Stage st(w, 900);
    st.s->open("demo/1");
    st.s->ui.tab = UiState::Tab::brief;
    st.frames(4);
    CHECK(count(st, "prediction") == 1);
    const ImVec4 before = place(st, "prediction");
    CHECK_FALSE(st.s->run());
    REQUIRE(st.s->ui.shows(Overlay::predict));
    st.frames(4);
    CHECK(count(st, "prediction") == 1);
    CHECK(place(st, "prediction").x > before.x);
    // Closed, the card stands in the brief again.
    st.press(key::escape);
    st.frames(2);
    CHECK(count(st, "prediction") == 1);
    CHECK(place(st, "prediction").y == dojo::tolerance::near(before.y));
  }
}

TEST_CASE("every plot has a family, and a new step chooses its own") {
  std::set<PlotFamily> used;
  for (auto& info : plot_infos()) used.insert(info.family);
  CHECK(used.size() == std::size(plot_families));
  Stage st;
  st.s->open("demo/1");
  CHECK(st.s->plot() == "time");
  st.s->choose_plot("stalls");
  CHECK(st.s->plot() == "stalls");
  st.s->open("demo/2");
  CHECK(st.s->plot() == "timeline");
}

TEST_CASE("the patterns of banks and addresses are drawn at every size, below their choices") {
  for (auto [w, h] : {std::pair{1280.f, 720.f}, {900.f, 600.f}, {1920.f, 1080.f}})
    for (const auto& [plot, key] :
         {std::pair<std::string, std::string>{"bankmap", "bankpattern"}, {"addresses", "addresspattern"}}) {
      CAPTURE(w);
      CAPTURE(key);
      Stage st(w, h);
      st.s->open("demo/1");
      st.s->skip_prediction();
      st.frames(30);
      st.s->choose_plot(plot);
      st.s->ui.pattern = true;
      st.frames(3);
      REQUIRE(st.ui->plots.offers.count(key) == 1);
      const ImVec4 area = st.ui->plots.offers.at(key).area;
      CHECK(area.w - area.y >= 50);
      CHECK(area.z - area.x >= 200);
    }
}

TEST_CASE("bars of stalls, bounds and lanes carry their values at every size, and no two values overlap") {
  for (auto [w, h, scale] :
       {std::tuple{1280.f, 720.f, 1.f}, {1100.f, 660.f, 1.f}, {1920.f, 1080.f, 1.f}, {3840.f, 2160.f, 2.f}})
    for (const std::string key : {"stalls", "bounds", "divergence"}) {
      CAPTURE(w);
      CAPTURE(key);
      Stage st(w, h, "dark", scale);
      st.s->open("demo/1");
      st.s->skip_prediction();
      st.frames(30);
      st.s->choose_plot(key);
      st.frames(3);
      std::string there;
      for (auto& [k, offer] : st.ui->plots.offers) there += k + " ";
      CAPTURE(there);
      REQUIRE(st.ui->plots.offers.count(key) == 1);
      const PlotOffer& o = st.ui->plots.offers.at(key);
      const Pairs data = key == "stalls"   ? stall_pairs(&st.s->view()->report)
                         : key == "bounds" ? bound_pairs(&st.s->view()->report)
                                           : lane_pairs(&st.s->view()->report);
      REQUIRE(data.rows.size() >= 2);
      // Each row has both figures: in a line each, or together.
      CHECK((o.values.size() == data.rows.size() || o.values.size() == 2 * data.rows.size()));
      for (size_t i = 0; i < o.values.size(); ++i) {
        const ImVec4& a = o.values[i].second;
        CHECK(a.z <= o.area.z + 1);
        for (size_t k = 0; k < i; ++k) {
          const ImVec4& b = o.values[k].second;
          CHECK((a.y >= b.w - 0.5f || b.y >= a.w - 0.5f || a.x >= b.z || b.x >= a.z));
        }
      }
    }
}

TEST_CASE("no words of a plot without figures are cut, before a run and after one that has none") {
  for (float w : {1100.f, 1280.f, 1920.f}) {
    Stage st(w, 720);
    st.s->open("demo/1");
    const ImFontGlyph* dots = fonts().ui->FindGlyph(0x2026);
    REQUIRE(dots);
    const auto cut = [&](const ImVec4& area) {
      const ImDrawData* d = ImGui::GetDrawData();
      for (int k = 0; k < d->CmdListsCount; ++k)
        for (auto& v : d->CmdLists[k]->VtxBuffer)
          if (v.uv.x == dots->U0 && v.uv.y == dots->V0 && v.pos.x >= area.x && v.pos.x <= area.z &&
              v.pos.y >= area.y && v.pos.y <= area.w)
            return true;
      return false;
    };
    int seen = 0;
    for (int ran = 0; ran < 2; ++ran) {
      for (auto& info : plot_infos()) {
        const std::string key = info.key;
        CAPTURE(w);
        CAPTURE(key);
        st.s->choose_plot(key);
        st.frames(3);
        const auto offer = st.ui->plots.offers.find(key);
        if (offer == st.ui->plots.offers.end()) continue;  // a map in the place of the plot
        ++seen;
        CHECK_FALSE(cut({place(st, "verdict").x, offer->second.area.y - 4, w, 700}));
      }
      run::WorkerEvent e;
      e.kind = run::WorkerEvent::report;
      e.report_ = test::make_report("demo/1-first", {}, {"reference"});
      for (auto& r : e.report_.runs) r.launches.clear(), r.timeline.clear();
      st.runner->scripts = {{e}};
      st.s->skip_prediction();
      st.frames(30);
    }
    CHECK(seen > 15);
  }
}

TEST_CASE("a toy device speaks in units: no GB/s, no share of a peak, no roofline") {
  Report r = test::make_report("demo/1", {}, {"reference"});
  CHECK_FALSE(bandwidth_bars(nullptr, &r).empty());
  r.device.clock_mhz = 1;
  REQUIRE(in_units(r.device));
  CHECK(bandwidth_bars(nullptr, &r).empty());
  CHECK(roofline(&r).empty());
  CHECK(time_bars(nullptr, &r, nullptr).unit == "units");
  CHECK(bound_pairs(&r).unit == "units");
  CHECK(time_on(r.device, 24) == "24 units");
}
