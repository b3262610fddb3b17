// A sweep that ends before its last size: it says at which size, after how long, why, and what to do.
#include <doctest/doctest.h>

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
