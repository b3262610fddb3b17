// A sweep that ends before its last size: it says at which size, after how long, why, and what to do.
#include <doctest/doctest.h>

#include "gui/plot/names.hpp"
#include "session_bench.hpp"
#include "stage.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::SessionBench;
using test::Stage;

namespace {
run::WorkerEvent answer(Status status) {
  run::WorkerEvent e;
  e.kind = run::WorkerEvent::report;
  test::RunShape student;
  student.status = status;
  e.report_ = test::make_report("demo/2-second", student, {"reference"});
  return e;
}
run::WorkerEvent death(const std::string& how) {
  run::WorkerEvent e;
  e.kind = run::WorkerEvent::died;
  e.exit_status = 124;
  e.text = how;
  return e;
}
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
}  // namespace

TEST_CASE("the plot Sweep's buttons take a click") {
  for (const bool asked : {true, false}) {
    CAPTURE(asked);
    Stage st(1280, 900);
    auto& step = const_cast<Step&>(st.s->catalog().find("demo/1-first"));
    step.prediction.counter = asked ? step.curve.y : "blocks";
    st.s->open("demo/1");
    st.s->choose_plot("sweep");
    st.frames(4);
    const ImVec4 area = st.ui->plots.offers.at("sweep").area;
    // Under the line that says what a sweep is, which may need two rows.
    for (float y = area.y + 20; y < area.y + 120; y += 8) {
      if (st.s->ui.shows(Overlay::predict) || st.s->sweep().running) break;
      st.click(area.x + 40, y);
    }
    CHECK(st.s->ui.shows(Overlay::predict) == asked);
    CHECK(st.s->sweep().running == !asked);
  }
}

TEST_CASE("a sweep of the figure that a prediction asks for is covered until the prediction is answered") {
  for (const bool asked : {true, false}) {
    CAPTURE(asked);
    Stage st(1280, 900);
    auto& step = const_cast<Step&>(st.s->catalog().find("demo/1-first"));
    step.prediction.counter = asked ? step.curve.y : "blocks";
    st.s->open("demo/1");
    st.s->choose_plot("sweep");
    st.s->start_sweep();
    st.frames(400);
    REQUIRE(st.s->sweep().points.size() == 11);
    // What the mouse finds on the curve's fourth point.
    const auto told = [&] {
      const PlotOffer o = st.ui->plots.offers.at("sweep");
      const SweepPoint& p = st.s->sweep().points[3];
      ImGui::GetIO().MousePos = {o.area.x + float(o.view.x.to01(p.x)) * (o.area.z - o.area.x),
                                 o.area.w - float(o.view.y.to01(p.reference)) * (o.area.w - o.area.y)};
      st.frames(3);
      return !st.ui->plots.offers.at("sweep").hover.empty();
    };
    CHECK(st.s->sweep_answers() == asked);
    CHECK(told() != asked);
    CHECK(st.ui->plots.offers.at("sweep").legend.empty() == asked);
    st.s->skip_prediction();
    st.frames(60);
    CHECK_FALSE(st.s->sweep_answers());
    CHECK(told());
  }
}

TEST_CASE("a sweep whose worker is stopped says at which size, after how long and what to do; points stay") {
  SessionBench b;
  auto& s = *b.s;
  s.open("demo/2");
  b.runner->scripts = {{answer(Status::pass)},
                       {answer(Status::pass)},
                       {death("the worker did not end within its time limit and was stopped")}};
  s.start_sweep();
  b.settle(400);
  CHECK_FALSE(s.running());
  CHECK_FALSE(s.sweep().running);
  CHECK(s.sweep().points.size() == 2);
  const std::string& why = s.sweep().stopped;
  CAPTURE(why);
  CHECK(has(why, "Your sweep stopped at n = 4096"));
  CHECK(has(why, " s: the worker did not end within its time limit"));
  CHECK(has(why, "To do: "));
  // The step's own result is what it was.
  CHECK(s.view()->error.empty());
  // The next one begins anew.
  b.runner->scripts.clear();
  s.start_sweep();
  CHECK(s.sweep().stopped.empty());
  b.settle(400);
  CHECK(s.sweep().points.size() == 11);
  CHECK(s.sweep().stopped.empty());
}

TEST_CASE("a sweep ends at the first size that the kernel does not finish, and draws no time of it") {
  SessionBench b;
  auto& s = *b.s;
  s.open("demo/2");
  b.runner->scripts = {{answer(Status::pass)}, {answer(Status::timeout)}};
  s.start_sweep();
  b.settle(400);
  CHECK_FALSE(s.sweep().running);
  REQUIRE(s.sweep().points.size() == 2);
  CHECK(s.sweep().points[0].student > 0);
  CHECK(s.sweep().points[1].student == 0);
  CHECK(b.runner->requests.size() == 2);
  const std::string& why = s.sweep().stopped;
  CAPTURE(why);
  CHECK(has(why, "n = 2048"));
  CHECK(has(why, "s, its time limit"));
  CHECK(has(why, "To do: "));
}

TEST_CASE("a sweep of a wrong step says so at its first size") {
  SessionBench b;
  auto& s = *b.s;
  s.open("demo/2");
  b.runner->student.status = Status::wrong;
  s.start_sweep();
  b.settle(400);
  CHECK(b.runner->requests.size() == 1);
  CHECK(has(s.sweep().stopped, "n = 1024"));
  CHECK(has(s.sweep().stopped, "Wrong result"));
}

namespace {
/// The plot of a sweep with many other tiers that end close together; returns its names and where they are.
std::vector<std::pair<std::string, ImVec4>> names_of(Stage& st) {
  st.s->open("demo/2");
  st.s->choose_plot("sweep");
  st.s->start_sweep();
  st.frames(400);
  REQUIRE(st.s->sweep().points.size() == 11);
  auto& sweep = const_cast<Sweep&>(st.s->sweep());
  for (int k = 0; k < 14; ++k) {
    sweep.tiers.push_back({"demo/1-first", {}});
    for (size_t p = 0; p < size_t(8 + k % 4); ++p)
      sweep.tiers.back().second.push_back({sweep.points[p].x, 40.0 * k + 100.0 * double(p)});
  }
  st.frames(3);
  return st.ui->plots.offers.at("sweep").values;
}
}  // namespace

TEST_CASE("names of a sweep's other tiers are whole, apart and off the curves; the large plot has more") {
  size_t small_plot = 0;
  for (const bool large : {false, true}) {
    CAPTURE(large);
    Stage st(1280, 720);
    st.s->ui.plots_only = large;
    const auto values = names_of(st);
    const PlotOffer& o = st.ui->plots.offers.at("sweep");
    REQUIRE(values.size() > 2);
    CHECK(has(values[0].first, "peak "));
    for (size_t i = 0; i < values.size(); ++i) {
      const ImVec4& a = values[i].second;
      CAPTURE(values[i].first);
      CHECK(a.x >= o.area.x);
      CHECK(a.z <= o.area.z);
      CHECK(a.y >= o.area.y);
      CHECK(a.w <= o.area.w);
      for (size_t k = 0; k < i; ++k) {
        const ImVec4& b = values[k].second;
        CHECK((a.z <= b.x || b.z <= a.x || a.w <= b.y || b.w <= a.y));
      }
      if (i == 0) continue;
      const auto place = [&](double x, double y) {
        return Point2{double(o.area.x) + o.view.x.to01(x) * double(o.area.z - o.area.x),
                      double(o.area.w) - o.view.y.to01(y) * double(o.area.w - o.area.y)};
      };
      for (auto& [id, curve] : st.s->sweep().tiers)
        for (size_t p = 1; p < curve.size(); ++p)
          CHECK_FALSE(crosses(place(curve[p - 1].first, curve[p - 1].second),
                              place(curve[p].first, curve[p].second), {{a.x, a.y}, {a.z, a.w}}));
    }
    if (large)
      CHECK(values.size() > small_plot);
    else
      small_plot = values.size();
  }
}
