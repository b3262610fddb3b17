// What every plot promises, walked over all of them: a title, units, a note, a legend that switches series,
// figures as CSV, a picture, wheel, drag, box and double-click, and values under the mouse. A plot that is
// added is in this walk by itself.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "../near.hpp"
#include "core/files/whole_file.hpp"
#include "core/paths.hpp"
#include "gui/model/text/gate_words.hpp"
#include "gui/plot/axis.hpp"
#include "stage.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::Stage;

namespace {
/// A step that was run twice, with a sweep and a recorded block: every plot has something to show.
struct Walk {
  Stage st{1600, 1000};
  Walk() {
    st.s->open("demo/1");
    st.s->skip_prediction();
    st.frames(24);
    st.runner->student.status = Status::gate_failed;
    st.s->run(false);
    st.frames(24);
    st.s->start_sweep(false);
    st.frames(400);
    REQUIRE_FALSE(st.s->running());
  }
  /// Shows the plot, alone where it is a tab.
  void show(const std::string& key) {
    st.s->ui.pattern = key == "bankpattern" || key == "addresspattern";
    st.s->ui.plots_only = key != "compare";
    st.s->ui.tab = key == "compare" ? UiState::Tab::compare : UiState::Tab::brief;
    st.s->settings.plot = key == "bankpattern"      ? "bankmap"
                          : key == "addresspattern" ? "addresses"
                          : key == "lanes"          ? "divergence"
                          : key == "compare"        ? "time"
                                                    : key;
    away();
    st.frames(40);
    REQUIRE_MESSAGE(st.ui->plots.offers.count(key) == 1,
                    key << " was not drawn: " << key << "_plot, in app/gui/panels/plots");
  }
  void away() {
    ImGui::GetIO().MousePos = {-100, -100};
    st.frames(2);
  }
  PlotOffer offer(const std::string& key) {
    return st.ui->plots.offers.count(key) ? st.ui->plots.offers.at(key) : PlotOffer{};
  }
  void drag(ImVec2 from, ImVec2 to, int button) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = from;
    st.frames(2);
    io.MouseDown[button] = true;
    st.frames(2);
    for (int k = 1; k <= 4; ++k) {
      io.MousePos = {from.x + (to.x - from.x) * float(k) / 4, from.y + (to.y - from.y) * float(k) / 4};
      st.frames(1);
    }
    io.MouseDown[button] = false;
    st.frames(3);
  }
  void wheel(ImVec2 at, float clicks) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = at;
    st.frames(2);
    io.MouseWheel = clicks;
    st.frame();
    io.MouseWheel = 0;
    st.frames(2);
  }
  void double_click(ImVec2 at) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = at;
    st.frames(30);  // far from the click before
    for (int k = 0; k < 2; ++k) {
      io.MouseDown[0] = true;
      st.frames(1);
      io.MouseDown[0] = false;
      st.frames(1);
    }
    st.frames(2);
  }
};

/// Shows every plot in turn, inner ones too: `f` gets its entry and what it offers.
void each_plot(Walk& w, const std::function<void(const PlotInfo&, const PlotOffer&)>& f) {
  for (auto* list : {&plot_infos(), &inner_plot_infos()})
    for (auto& info : *list) {
      CAPTURE(std::string(info.key));
      w.show(info.key);
      f(info, w.offer(info.key));
    }
}
}  // namespace

TEST_CASE("every plot's key is among the pictures of a step and behind a slide's `show` in the documents") {
  const auto names = [](const std::string& text, const std::string& key) {
    for (size_t at = text.find(key); at != text.npos; at = text.find(key, at + 1))
      if (!std::isalpha(static_cast<unsigned char>(text[at + key.size()])) &&
          !std::isalpha(static_cast<unsigned char>(text[at - 1])))
        return true;
    return false;
  };
  const auto lines_from = [](const char* file, const char* first) {
    const std::string text = read_file(source_root() / "docs" / file).value_or("");
    const size_t at = text.find(first);
    return at == text.npos ? std::string() : text.substr(at, text.find("who =", at) - at);
  };
  const std::string pictures = lines_from("adding-a-lab.md", "\npicture = "),
                    shown = lines_from("lecturer.md", "\nshow = ");
  for (const PlotInfo& info : plot_infos()) {
    CHECK_MESSAGE(names(pictures.substr(0, pictures.find("\n", 1)), info.key),
                  "docs/adding-a-lab.md, picture: " << std::string(info.key));
    CHECK_MESSAGE(names(shown, info.key), "docs/lecturer.md, show: " << std::string(info.key));
  }
}

TEST_CASE("every plot has a title, units, a note, a legend, CSV and PNG") {
  Walk w;
  each_plot(w, [&](const PlotInfo& info, const PlotOffer& o) {
    const std::string key = info.key;
    CHECK(o.title.size() > 8);
    for (auto& line : o.title_lines) CHECK_FALSE(line.ends_with("…"));
    CHECK(o.note.size() > 60);
    CHECK(o.note == info.note);
    CHECK_FALSE(o.units.empty());
    CHECK(o.legend.size() >= 1);
    // What is copied has a head and figures.
    ImGui::SetClipboardText("");
    REQUIRE(o.buttons.count("csv"));
    w.st.click(o.buttons.at("csv").x, o.buttons.at("csv").y);
    const std::string csv = ImGui::GetClipboardText();
    CHECK(std::count(csv.begin(), csv.end(), '\n') >= 2);
    CHECK(csv.find(',') != std::string::npos);
    CHECK(csv.find_first_of("0123456789") != std::string::npos);
    w.st.ui->window.png = {};
    REQUIRE(o.buttons.count("png"));
    w.st.click(o.buttons.at("png").x, o.buttons.at("png").y);
    CHECK(w.st.ui->window.png.due);
    CHECK(w.st.ui->window.png.file.find(key) != std::string::npos);
    CHECK(w.st.ui->window.png.max.x > w.st.ui->window.png.min.x);
    // The note opens and closes, and moves the area.
    REQUIRE(o.buttons.count("note"));
    w.st.click(o.buttons.at("note").x, o.buttons.at("note").y);
    CHECK(w.offer(key).area.y > o.area.y + 10);
    w.st.click(o.buttons.at("note").x, o.buttons.at("note").y);
    CHECK(w.offer(key).area.y == o.area.y);
  });
}

TEST_CASE("every entry of every plot's legend hides its series and shows it again") {
  Walk w;
  // Nothing waits in stream order; a stride of one has no conflict; the recorded block's lanes are all
  // active.
  const std::set<std::string> nothing{"whatif: Waiting", "bankpattern: Excess wavefronts",
                                      "lanes: Some of them"};
  each_plot(w, [&](const PlotInfo& info, const PlotOffer& shown) {
    const std::string key = info.key;
    const size_t entries = shown.legend.size();
    for (size_t k = 0; k < entries; ++k) {
      w.away();
      const PlotOffer o = w.offer(key);
      const auto with = w.st.drawn(o.area);
      const auto entry = o.legend[k];
      CAPTURE(entry.label);
      w.st.click(entry.at.x, entry.at.y);
      w.away();
      REQUIRE(w.offer(key).legend.size() == entries);
      CHECK(w.offer(key).legend[k].hidden);
      // A reworded label must not bring the series back.
      CHECK_FALSE(w.st.s->settings.hidden_series.count(entry.label));
      // Something else is drawn, except where the series has nothing to draw here.
      CHECK((w.st.drawn(o.area) == with) == (nothing.count(key + ": " + entry.label) == 1));
      const auto again = w.offer(key).legend[k].at;
      w.st.click(again.x, again.y);
      w.away();
      CHECK_FALSE(w.offer(key).legend[k].hidden);
      CHECK(w.st.drawn(o.area) == with);
    }
  });
}

TEST_CASE("every plot zooms by the wheel, pans by a drag, zooms into a box and fits by a double-click") {
  Walk w;
  each_plot(w, [&](const PlotInfo& info, const PlotOffer& o) {
    const std::string key = info.key;
    REQUIRE(o.zooms);
    auto at = [&](double x, double y) {
      return ImVec2{float(o.area.x + (o.area.z - o.area.x) * x), float(o.area.y + (o.area.w - o.area.y) * y)};
    };
    auto span = [&] {
      const View v = w.offer(key).view;
      return (v.x.log ? std::log(v.x.hi / v.x.lo) : v.x.hi - v.x.lo);
    };
    const double all = span();
    w.wheel(at(0.5, 0.5), 4);
    const double near = span();
    CHECK(near < all * 0.8);
    const double before = w.offer(key).view.x.lo;
    w.drag(at(0.4, 0.5), at(0.55, 0.5), 0);
    CHECK(w.offer(key).view.x.lo < before);
    CHECK(span() == dojo::tolerance::within(near));
    w.drag(at(0.3, 0.2), at(0.6, 0.8), 1);
    CHECK(span() < near * 0.5);
    w.double_click(at(0.5, 0.5));
    CHECK(span() == dojo::tolerance::within(all));
    CHECK_FALSE(w.offer(key).view.moved);
    // The button does the same.
    w.wheel(at(0.5, 0.5), 4);
    CHECK(span() < all * 0.8);
    REQUIRE(o.buttons.count("fit"));
    w.st.click(o.buttons.at("fit").x, o.buttons.at("fit").y);
    CHECK(span() == dojo::tolerance::within(all));
    CHECK_FALSE(w.st.s->ui.motion);
  });
}

TEST_CASE("every plot says exact values under the mouse") {
  Walk w;
  each_plot(w, [&](const PlotInfo& info, const PlotOffer& o) {
    const std::string key = info.key;
    std::set<std::string> said;
    bool figures = false;
    for (int i = 0; i < 60; ++i)
      for (int j = 0; j < 40; ++j) {
        ImGui::GetIO().MousePos = {o.area.x + (o.area.z - o.area.x) * (float(i) + 0.5f) / 60,
                                   o.area.y + (o.area.w - o.area.y) * (float(j) + 0.5f) / 40};
        w.st.frame();
        for (auto& line : w.offer(key).hover)
          said.insert(line), figures |= line.find_first_of("0123456789") != std::string::npos;
        if (said.size() >= 4 && figures) i = j = 1000;
      }
    CHECK(said.size() >= 2);
    CHECK(figures);
  });
}

TEST_CASE("labels that would lie over one another are spread, in order and near to where they belong") {
  CHECK(spread({}, 10).empty());
  CHECK(spread({5}, 10)[0] == 5);
  const auto far = spread({30, 10, 50}, 10);
  CHECK(far == std::vector<double>{30, 10, 50});
  const auto same = spread({20, 20}, 10);
  CHECK(same[0] == dojo::tolerance::within(15));
  CHECK(same[1] == dojo::tolerance::within(25));
  // A group that grows into the one before joins it.
  const auto many = spread({0, 8, 16, 17, 100}, 10);
  for (size_t i = 1; i < 4; ++i) CHECK(many[i] - many[i - 1] == dojo::tolerance::within(10));
  CHECK((many[0] + many[3]) / 2 == dojo::tolerance::within((0 + 8 + 16 + 17) / 4.0));
  CHECK(many[4] == 100);
}

TEST_CASE("where the reference's point lies on the student's, both are drawn and both are said") {
  Walk w;
  w.st.runner->reference = w.st.runner->student;
  w.st.runner->reference.who = "reference";
  w.st.s->run(false);
  w.st.frames(24);
  const Roofline data = roofline(&w.st.s->view()->report);
  REQUIRE(data.points.size() == 2);
  REQUIRE(data.points[0].intensity == data.points[1].intensity);
  REQUIRE(data.points[0].gflops == data.points[1].gflops);
  w.show("roofline");
  const PlotOffer o = w.offer("roofline");
  ImGui::GetIO().MousePos = {
      o.area.x + float(o.view.x.to01(data.points[0].intensity)) * (o.area.z - o.area.x),
      o.area.w - float(o.view.y.to01(data.points[0].gflops)) * (o.area.w - o.area.y)};
  w.st.frames(2);
  const auto said = w.offer("roofline").hover;
  CHECK(std::count(said.begin(), said.end(), "You") == 1);
  CHECK(std::count(said.begin(), said.end(), "Reference") == 1);
}

TEST_CASE("a gate whose bound is an expression says the number it came to") {
  CHECK(bound_words({"instructions <= 0.9 * reference(previous)", 17825792, 16043213.8, "<=", false, ""}) ==
        "at most 16,043,213");
  CHECK(bound_words({"dram_bytes >= ideal_bytes", 1, 2, ">=", false, ""}) == "at least 2");
  CHECK(bound_words({"shared_conflicts == 0", 3, 0, "==", false, ""}) == "");
  CHECK(bound_words({"time <= 1.5", 3, 1.5, "<=", false, ""}) == "");
}

TEST_CASE("words shared with the terminal get the window's units and groups") {
  CHECK(for_reading("takes 18.84 of 26.51 us (71 %)") == "takes 18.84 of 26.51 µs (71 %)");
  CHECK(for_reading("1720320 of 2457600 passes.") == "1,720,320 of 2,457,600 passes.");
  CHECK(for_reading("153 us. Next 17.05 us.") == "153 µs. Next 17.05 µs.");
  CHECK(for_reading("n = 2^22, line 4096, 0x10000, sm_90, user") ==
        "n = 2^22, line 4096, 0x10000, sm_90, user");
  CHECK(for_reading("0.123456 and x12345") == "0.123456 and x12345");
}

TEST_CASE("in the plots' room of a small window every plot keeps a drawing area of its own") {
  Walk w;
  for (const ImVec2 size : {ImVec2(1280, 720), ImVec2(1024, 640)}) {
    const float width = size.x, height = size.y;
    ImGui::GetIO().DisplaySize = size;
    for (auto& info : plot_infos()) {
      const std::string key = info.key;
      CAPTURE(key);
      CAPTURE(width);
      if (key == "whatif") continue;  // its eight sliders want the window: F6
      w.show(key);
      w.st.s->ui.plots_only = false;
      for (bool over_time : {false, true}) {
        w.st.s->ui.lanes_over_time = over_time;
        w.st.frames(3);
        for (auto& offer : w.st.ui->plots.offers) {
          const auto& name = offer.first;
          auto& o = offer.second;
          CAPTURE(name);
          CHECK(o.area.w - o.area.y >= 55);
          // The legend and the title's buttons stand above it.
          for (auto& l : o.legend) CHECK(l.at.y < o.area.y);
          CHECK(o.area.w < height);
        }
      }
    }
  }
}
