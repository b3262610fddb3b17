// What judges no student: recordings and lectures.
#include <doctest/doctest.h>

#include <fstream>

#include "gui/model/plots/lab_curve.hpp"
#include "gui/model/verdict.hpp"
#include "stage.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::Stage;

namespace {
/// A report of a recorded reference, without counters, as `--device rec:FILE` gives it.
run::WorkerEvent recorded(const std::string& step) {
  run::WorkerEvent e;
  e.kind = run::WorkerEvent::report;
  e.report_ = test::make_report(step, {}, {"reference"});
  std::erase_if(e.report_.runs, [](auto& r) { return r.who == "student"; });
  for (auto& l : e.report_.runs[0].launches) l.counters.clear();
  e.report_.device.kind = DeviceKind::recording;
  e.report_.device.name = "rec:h100";
  e.report_.device.recorded_note = "A GPU, 2026-01-02";
  return e;
}
}  // namespace

TEST_CASE("a recording passes no step, answers no prediction and fills no live number of a student") {
  Stage st;
  auto& s = *st.s;
  s.open("demo/1");
  st.runner->scripts.push_back({recorded("demo/1-first")});
  s.run(false);
  st.frames(20);
  REQUIRE(s.view()->has_report);
  CHECK(s.state_of("demo/1-first") == StepState::fresh);
  CHECK(s.view()->history.empty());
  const Report& r = s.view()->report;
  CHECK(live_value("time_us", *s.step(), &r) == "—");
  CHECK(live_value("reference: time_us", *s.step(), &r) != "—");
  CHECK(live_value("reference: shared_conflicts", *s.step(), &r) == "—");  // no counters, so no zero
  Step counted = *s.step();
  counted.prediction.answer.clear();
  counted.prediction.counter = "shared_conflicts";
  CHECK_FALSE(reveal(counted, "0", &r).judged);
}

TEST_CASE("a recording offers the step's own device by its title, and runs the step there") {
  Stage st;
  auto& s = *st.s;
  s.open("demo/1");
  s.choose_device("rec:h100");
  st.runner->scripts.push_back({recorded("demo/1-first")});
  s.run(false);
  st.frames(20);
  REQUIRE(s.view()->has_report);
  std::string link;
  for (auto& [name, box] : st.ui->window.layout)
    if (name.starts_with("Run it on ")) {
      link = name;
      st.click((box.x + box.z) / 2, (box.y + box.w) / 2);
      break;
    }
  CHECK(link == "Run it on NVIDIA H100 80GB HBM3 (modelled)");
  CHECK(s.device() == "simt:h100");
  REQUIRE(st.runner->requests.size() == 2);
  CHECK(st.runner->requests[1].device == "simt:h100");
}

TEST_CASE("a lecture leaves the student's views, progress, plot and step as they were") {
  Stage st;
  auto& s = *st.s;
  s.open("demo/2");
  s.view()->text.type("// mine ");
  REQUIRE(s.lectern.open());
  CHECK(s.lectern.on());
  for (int k = 0; k < 6; ++k) {
    if (s.lectern.talk.next()) s.lectern.show();
    st.frames(12);
  }
  CHECK(st.runner->requests.size() > 0);
  s.lectern.close();
  st.frames(6);
  CHECK_FALSE(s.lectern.on());
  CHECK(s.step()->id() == "demo/2-second");
  CHECK(s.view()->text.text().starts_with("// mine "));
  CHECK_FALSE(s.view()->has_report);
  for (const char* id : {"demo/1-first", "demo/2-second"}) {
    CHECK(s.state_of(id) == StepState::fresh);
    s.open(id);
    CHECK_FALSE(s.view()->has_report);
    CHECK(s.view()->history.empty());
  }
  CHECK(s.awaiting_prediction() == false);  // demo/2 has none
  s.open("demo/1");
  CHECK(s.awaiting_prediction());
  CHECK(s.motion.trace() == nullptr);
}

TEST_CASE("what is typed on a slide and not saved is in the editor afterwards") {
  Stage st;
  auto& s = *st.s;
  s.open("demo/2");
  REQUIRE(s.lectern.open());
  s.open("demo/1");
  s.view()->text.type("// live ");
  s.lectern.close();
  s.open("demo/1");
  CHECK(s.view()->text.text().starts_with("// live "));
}

TEST_CASE("a locked reference stays locked on a slide, and opens for those who passed or teach") {
  Stage st;
  auto& s = *st.s;
  const fs::path deck = st.folder.path / "deck.toml";
  std::ofstream(deck)
      << "[[slide]]\ntitle = \"a\"\nstep = \"demo/2\"\nshow = \"reference\"\n"
         "[[slide]]\ntitle = \"b\"\nstep = \"demo/2\"\nshow = \"motion\"\nwho = \"reference\"\n";
  s.open("demo/2");
  REQUIRE(s.lectern.open(deck.string()));
  CHECK(s.lectern.locked());
  s.lectern.talk.next();
  s.lectern.show();
  st.frames(10);
  CHECK(s.lectern.locked());
  CHECK(st.runner->requests.empty());
  s.set_instructor(true);
  CHECK_FALSE(s.lectern.locked());
  CHECK(s.running());  // the slide's block is recorded at once, not at the next slide
}

TEST_CASE("a lab's curve has a point for each passed step, on the device that most of them have") {
  test::TempFolder folder;
  test::write_labs(folder.path);
  const Catalog catalog = load_catalog(folder.path);
  const Lab& lab = *catalog.find_lab("demo");
  auto runs = [](const std::string& step) {
    PastRun past;
    past.report = test::make_report(step, {}, {"reference", Status::pass, 4096, 132, 8, 1.1});
    std::vector<PastRun> out{past};
    if (step == "demo/2-second") {
      out.push_back(past);
      out.back().report.device.name = "simt:a5000";
    }
    return out;
  };
  const LabCurve curve = lab_curve(lab, runs);
  CHECK(curve.device == "h100 (modelled)");
  REQUIRE(curve.points.size() == 2);
  CHECK(curve.unit == "GB/s");
  CHECK(curve.points[0].label == "1");
  CHECK(curve.points[0].reference > curve.points[0].student);
  auto failed = [&](const std::string& step) {
    auto out = runs(step);
    for (auto& p : out) p.report.runs[0].status = Status::gate_failed;
    return out;
  };
  CHECK(lab_curve(lab, failed).points.empty());
}
