// Waves and occupancy of many launches, and the card of a result that is handed in.
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "gui/model/plots/plots.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/result_card.hpp"
#include "session_bench.hpp"
#include "stage.hpp"

#include <doctest/doctest.h>

using namespace dojo;
using namespace dojo::gui;
using test::Stage;

namespace {
void run_and_show(Stage& st, const char* plot) {
  st.s->open("demo/2");
  st.s->run(false);
  for (int k = 0; k < 200 && (st.s->running() || !st.s->view()->has_report); ++k) st.frame();
  REQUIRE(st.s->view()->has_report);
  st.s->settings.plot = plot;
}

/// A hundred equal launches of a kernel with a long name, then one of `add`.
void give_many_launches(RunReport& r) {
  REQUIRE(r.launches.size() == 1);
  LaunchReport one = r.launches[0];
  one.kernel = "scale_with_a_very_long_name_that_goes_on_and_on_and_on_until_no_plot_has_room_for_it";
  r.launches.assign(100, one);
  one.kernel = "add";
  r.launches.push_back(one);
}

std::vector<std::string> parts_with(const Stage& st, const std::string& begin) {
  std::vector<std::string> out;
  for (auto& [name, r] : st.ui->window.layout)
    if (name.starts_with(begin)) out.push_back(name.substr(begin.size()));
  return out;
}
}  // namespace

TEST_CASE("launches that are alike are one row, and each side has half of the rows") {
  std::vector<LaunchView> all(5);
  for (auto& l : all) l.kernel = "sum", l.blocks = 8, l.achieved = 0.5;
  all[1].achieved = 0.7;
  all[2].blocks = 9;
  all[3].kernel = "add";
  all[4].series = Series::reference;
  const auto rows = launch_rows(all);
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].launches == 2);
  CHECK(std::fabs(rows[0].achieved - 0.6) < 1e-12);
  for (size_t k = 1; k < 4; ++k) CHECK(rows[k].launches == 1);
  std::vector<LaunchView> many(9);
  for (size_t k = 5; k < 9; ++k) many[k].series = Series::reference;
  std::vector<const LaunchView*> shown;
  for (auto& l : many) shown.push_back(&l);
  const auto of_reference = [](const std::vector<const LaunchView*>& rows) {
    return std::count_if(rows.begin(), rows.end(), [](auto* l) { return l->series == Series::reference; });
  };
  CHECK(rows_that_fit(shown, 9).size() == 9);
  CHECK(rows_that_fit(shown, 4).size() == 4);
  CHECK(of_reference(rows_that_fit(shown, 4)) == 2);
  CHECK(of_reference(rows_that_fit(shown, 2)) == 1);
  shown.resize(6);  // one of the reference leaves its room to yours
  CHECK(rows_that_fit(shown, 4).size() == 4);
  CHECK(of_reference(rows_that_fit(shown, 4)) == 1);
}

TEST_CASE(
    "waves: neither equal launches nor a long name push out numbers, the other kernel or the reference") {
  for (const float scale : {1.0f, 2.0f}) {
    CAPTURE(scale);
    Stage st(1280 * scale, 720 * scale, "dark", scale);
    run_and_show(st, "waves");
    give_many_launches(st.s->view()->report.runs[0]);
    st.frames(3);
    const auto rows = parts_with(st, "waves: ");
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].starts_with("s"));
    CHECK(rows[0].find("…") != std::string::npos);
    CHECK(rows[0].find("… × 100") == std::string::npos);  // the end of the name is there
    CHECK(rows[0].find(" × 100: ") != std::string::npos);
    CHECK(rows[0].ends_with("% used"));
    CHECK(rows[1].starts_with("add: "));
    for (auto& [name, r] : st.ui->window.layout)
      if (name.starts_with("waves: "))
        CHECK(text_size(fonts().small, name.substr(std::string("waves: ").size())).x <= r.z - r.x);
  }
}

TEST_CASE("waves: gaps between them are of one width, whichever fraction of a pixel a wave begins at") {
  for (const float scale : {1.0f, 2.0f}) {
    CAPTURE(scale);
    Stage st(1280 * scale, 720 * scale, "dark", scale);
    run_and_show(st, "waves");
    for (auto& r : st.s->view()->report.runs) r.launches[0].waves = 61;
    st.frames(3);
    ImVec4 row{};
    for (auto& [name, r] : st.ui->window.layout)
      if (name.starts_with("waves: ") && row.w == 0) row = r;
    REQUIRE(row.w > row.y);
    std::set<std::pair<float, float>> bars;
    const ImDrawData* d = ImGui::GetDrawData();
    for (int k = 0; k < d->CmdListsCount; ++k) {
      auto& v = d->CmdLists[k]->VtxBuffer;
      for (int i = 0; i + 3 < v.Size; ++i)
        if (v[i].col == theme().of(Series::student) && v[i + 2].col == v[i].col && v[i].pos.y >= row.y &&
            v[i + 2].pos.y <= row.w && v[i].pos.x < v[i + 1].pos.x && v[i].pos.x >= row.x &&
            v[i].pos.y == v[i + 1].pos.y && v[i + 1].pos.x == v[i + 2].pos.x)
          bars.insert({v[i].pos.x, v[i + 1].pos.x});
    }
    REQUIRE(bars.size() == 61);
    std::set<float> gaps;
    for (auto it = bars.begin(); std::next(it) != bars.end(); ++it)
      gaps.insert(std::next(it)->first - it->second);
    CHECK(gaps.size() == 1);
    CHECK(*gaps.begin() == std::floor(*gaps.begin()));
  }
}

TEST_CASE("waves: the axis of few waves has the number of the last one") {
  for (const int waves : {1, 2, 4}) {
    CAPTURE(waves);
    Stage st;
    run_and_show(st, "waves");
    for (auto& r : st.s->view()->report.runs) r.launches[0].waves = waves - 0.5;
    st.frames(3);
    const PlotOffer& o = st.ui->plots.offers.at("waves");
    const float last =
        o.area.x + float((waves - o.view.x.lo) / (o.view.x.hi - o.view.x.lo)) * (o.area.z - o.area.x);
    const auto wide = [](const std::string& s) { return text_size(fonts().small, s).x; };
    CHECK(last + wide(std::to_string(waves)) / 2 <= o.area.z + px(4) - wide("waves") - px(10));
  }
}

TEST_CASE("the picture of a result card names step, device, size and date, and has no links") {
  Stage st;
  st.runner->student.status = Status::finding;
  run_and_show(st, "time");
  st.s->view()->todo_line = 0;
  const auto links = [&] {
    st.frames(2);
    int n = 0;  // of letters; bars of your times have the same colour
    const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
    const ImDrawData* d = ImGui::GetDrawData();
    for (auto& [name, r] : st.ui->window.layout)
      if (name == "verdict")
        for (int k = 0; k < d->CmdListsCount; ++k)
          for (auto& v : d->CmdLists[k]->VtxBuffer)
            n += v.col == theme().accent && v.uv.x != white.x && v.pos.x >= r.x && v.pos.x <= r.z &&
                 v.pos.y >= r.y && v.pos.y <= r.w;
    return n;
  };
  CHECK(links() > 0);
  st.s->card_head = {"Demo › 2. Second",
                     card_facts(*st.s->step(), st.s->view()->report, "2026-03-14 15:09:26")};
  st.s->ui.card = true;
  CHECK(links() == 0);
  const auto head = parts_with(st, "card: ");
  REQUIRE(head.size() == 2);
  CHECK(head[1] == "demo/2-second, NVIDIA H100 80GB HBM3, n = 1,048,576 (2^20). 2026-03-14 15:09:26.");
  // The page says of its times what the window says.
  const std::string page = result_card(*st.s->step(), st.s->view()->report, {"Demo"});
  CHECK(page.find("There is a finding, so the time says little: ") != std::string::npos);
}

TEST_CASE("the head of a result card has no character without a glyph") {
  test::SessionBench b;
  b.s->open("demo/2");
  b.s->run(false);
  b.settle();
  REQUIRE(b.s->save_card());
  REQUIRE(b.s->card_head.size() == 2);
  Stage st;
  for (const std::string& words : b.s->card_head)
    for (const char *at = words.data(), *end = at + words.size(); at < end;) {
      unsigned c = 0;
      at += ImTextCharFromUtf8(&c, at, end);
      CHECK_MESSAGE(fonts().small->FindGlyphNoFallback(ImWchar(c)), words);
    }
}
