// Slow motion's view model over a prepared trace, and the session around it.
#include "gui/model/slow_motion.hpp"
#include "../near.hpp"

#include <doctest/doctest.h>

#include <bit>

#include "stage.hpp"

using namespace dojo;
using namespace dojo::gui;
using M = SlowMotion;

namespace {
float word(const M& m, size_t k) { return std::bit_cast<float>(m.shared_words().at(k)); }

void pump(Session& s, int n = 40) {
  static double now = 1000;
  for (int k = 0; k < n; ++k) s.tick(now += 0.02);
}

struct Desk {
  test::TempFolder folder;
  test::FakeRunner* runner;
  std::unique_ptr<Session> s;
  Desk() {
    test::write_labs(folder.path);
    auto r = std::make_unique<test::FakeRunner>();
    runner = r.get();
    s = std::make_unique<Session>(load_catalog(folder.path), std::move(r), Places{}, test::make_devices());
    s->open("demo/1");
  }
};
}  // namespace

TEST_CASE("slow motion: forwards and back give the same picture, by lines and by instructions") {
  M m;
  m.set(test::make_trace());
  m.set_grain(M::Grain::instruction);
  REQUIRE(m.count() == 8);
  std::vector<std::tuple<int, int, std::vector<uint32_t>, uint32_t>> seen;
  auto picture = [&] {
    uint32_t waits = 0;
    for (auto& w : m.warps()) waits |= w.waiting;
    return std::tuple(m.line(), int(m.step()->warp), m.shared_words(), waits);
  };
  m.seek(0);
  seen.push_back(picture());
  while (m.forward()) seen.push_back(picture());
  CHECK(seen.size() == 8);
  CHECK_FALSE(m.forward());
  for (size_t k = seen.size() - 1; k-- > 0;) {
    REQUIRE(m.back());
    CHECK(picture() == seen[k]);
  }
  CHECK_FALSE(m.back());
}

TEST_CASE("slow motion: a warp at code without a line is not said not to have begun") {
  M::Warp w;
  CHECK(M::state_text(w) == "not begun");
  w.begun = true;
  CHECK(M::state_text(w) == "code without a line");
  w.line = 12;
  CHECK(M::state_text(w) == "line 12");
  w.waiting = 1;
  w.barrier = 0;
  CHECK(M::state_text(w) == "at barrier 0");
}

TEST_CASE("slow motion: in turns each warp runs a line, and waits until all came to the barrier") {
  M m;
  m.set(test::make_trace());
  std::vector<std::pair<int, int>> lines;
  m.seek(0);
  do {
    lines.push_back({m.line(), m.step()->warp});
    if (m.line() == 4) {
      CHECK(m.warps()[m.step()->warp].waiting == ~0u);
      CHECK(m.warps()[m.step()->warp].barrier == 0);
    }
    if (m.line() == 5)
      for (auto& w : m.warps()) CHECK(w.waiting == 0);
  } while (m.forward());
  CHECK(lines ==
        std::vector<std::pair<int, int>>{{3, 0}, {3, 1}, {4, 0}, {4, 1}, {5, 0}, {5, 1}, {6, 0}, {6, 1}});
  m.set_order(M::Order::machine);
  m.seek(0);
  CHECK(m.line() == 3);
  CHECK(m.forward());
  CHECK(m.line() == 4);
  CHECK(m.step()->warp == 0);
}

TEST_CASE("slow motion: each stop has one sentence: its access, its barrier, or its finding") {
  M m;
  CHECK(m.caption().empty());
  m.set(test::make_trace(true));
  m.seek(0);
  CHECK(m.caption() == "Line 3, warp 0: the shared store takes 1 wavefront; no bank conflict.");
  std::set<std::string> said;
  for (m.seek(0);;) {
    said.insert(m.caption());
    if (!m.forward()) break;
  }
  CHECK(said.count("Line 4, warp 1: waits at the barrier."));
  CHECK(said.count("Line 5, warp 0: the shared load takes 2 wavefronts; without bank conflicts, 1."));
  CHECK(said.count("Two threads of the block touch the same word."));
}

TEST_CASE("slow motion: the heading counts active lanes, and says when the warp is done") {
  M m;
  CHECK(m.heading().empty());
  m.set(test::make_trace());
  m.seek(0);
  CHECK(m.heading() == "Warp 0: 32 of 32 lanes active");
  m.seek(m.count());
  REQUIRE(m.warps()[m.step()->warp].done);
  CHECK(m.heading() == "Warp 1: done");
}

TEST_CASE("slow motion: shared memory and registers are as of the moment") {
  M m;
  m.set(test::make_trace());
  m.seek(0);
  CHECK(m.shared_known(0));
  CHECK(m.shared_fresh(5));
  CHECK(word(m, 5) == 5.0f);
  CHECK_FALSE(m.shared_known(40));
  m.forward();
  CHECK(word(m, 40) == 40.0f);
  CHECK_FALSE(m.shared_fresh(5));
  CHECK(m.shared_is_float());
  m.seek(m.count());
  auto regs = m.registers();
  REQUIRE(!regs.empty());
  CHECK(regs[0].read);
  CHECK(regs[0].known == ~0u);
  CHECK(std::bit_cast<float>(uint32_t(regs[0].value[3])) == 6.0f);
  CHECK(m.warps()[1].done);
  m.seek(0);
  for (auto& r : m.registers()) CHECK(r.known == 0);
  m.pinned.insert(2);
  CHECK(m.registers().front().id == 2);
}

TEST_CASE("slow motion: by variables, named registers come first and each variable once") {
  auto t = std::make_shared<StepTrace>(*test::make_trace());
  // Line 5 writes %f1 and reads %r2; a third register holds the variable of the first.
  t->registers[0].variable = "v";
  t->registers.push_back({"%f9", StepTrace::Shown::float32, "v"});
  t->code[2].reads = {1, 3};
  M m;
  m.set(t);
  m.seek(m.count());
  while (m.line() != 5) REQUIRE(m.back());
  CHECK(m.registers().size() == 3);
  const auto by_name = m.registers(true);
  REQUIRE(by_name.size() == 2);
  CHECK(by_name[0].id == 0);  // written last
  CHECK(by_name[1].id == 1);  // it has no name
  m.pinned.insert(3);
  CHECK(m.registers(true).size() == 3);
}

TEST_CASE("slow motion: it stops where it is told to") {
  M m;
  m.set(test::make_trace());
  m.stops = {M::Stop::conflict};
  m.seek(0);
  CHECK(m.run_on());
  CHECK(m.line() == 5);
  CHECK(m.stopped_at == "a bank conflict");
  m.stops = {M::Stop::waste};
  CHECK(m.run_on());
  CHECK(m.line() == 6);
  CHECK(m.step()->warp == 1);
  m.stops = {};
  m.breakpoints = {4};
  CHECK(m.run_on(false));
  CHECK(m.line() == 4);
  m.breakpoints = {};
  CHECK_FALSE(m.run_on());
  CHECK(m.at() == m.count() - 1);
}

TEST_CASE("slow motion: one warp's steps only, played at a speed") {
  M m;
  m.set(test::make_trace());
  m.set_warp(1);
  m.seek(0);
  int n = 1;
  CHECK(m.step()->warp == 1);
  while (m.forward()) {
    ++n;
    CHECK(m.step()->warp == 1);
  }
  CHECK(n == 4);
  m.set_warp(-1);
  m.seek(0);
  m.stops = {};
  m.per_second = 10;
  m.playing = true;
  m.tick(100.0);
  CHECK(m.at() == 0);
  CHECK(m.next_tick(100.0) == dojo::tolerance::within(0.1));
  m.tick(100.35);
  CHECK(m.at() == 3);
  for (double t = 100.4; t < 103; t += 0.1) m.tick(t);
  CHECK_FALSE(m.playing);
  CHECK(m.at() == m.count() - 1);
}

TEST_CASE("slow motion: opens at a finding") {
  M m;
  m.set(test::make_trace(true));
  CHECK(m.line() == 5);
  CHECK(m.step()->warp == 1);
  REQUIRE(m.notes().size() == 1);
  auto marks = m.ribbon(8);
  int found = 0;
  for (auto b : marks) found += b & 16 ? 1 : 0;
  CHECK(found == 1);
}

TEST_CASE("access views: banks by wavefront, sectors by lane") {
  auto t = test::make_trace();
  auto banks = bank_view(*t, t->accesses[2]);  // stride of two words
  CHECK(banks.conflict());
  CHECK(banks.banks[0].size() == 2);
  CHECK(banks.banks[1].empty());
  CHECK(banks.banks[0][0].wavefront == 0);
  CHECK(banks.banks[0][1].wavefront == 1);
  auto wide = sector_view(*t, t->accesses[5]);
  CHECK(wide.sectors.size() == 32);
  CHECK(wide.used_share == dojo::tolerance::within(4.0 / 32));
  CHECK(wide.region == "out");
  CHECK(wide.fewest == 4);
  auto dense = sector_view(*t, t->accesses[3]);
  CHECK(dense.sectors.size() == 4);
  CHECK(dense.used_share == 1.0);
  CHECK(dense.of_lane[31] == 3);
}

TEST_CASE("slow motion: the session records, shows, and goes to the block of a finding") {
  Desk d;
  d.s->recorder.open();
  CHECK(d.s->recorder.recording());
  pump(*d.s);
  CHECK_FALSE(d.s->running());
  CHECK(d.s->ui.motion);
  REQUIRE(d.s->motion.trace());
  CHECK(d.runner->requests.back().trace.on);
  CHECK_FALSE(d.s->view()->has_report);  // no verdict comes of a recording
  CHECK(d.s->progress_of("demo/1-first").runs == 0);
  CHECK_FALSE(d.s->recorder.stale());
  d.s->view()->text.type("x");
  CHECK(d.s->recorder.stale());
  Diagnostic x;
  x.kernel = "first";
  x.block = Dim3{7, 0, 0};
  d.runner->steps = test::make_trace(true);
  d.s->recorder.open_at(x);
  CHECK(d.runner->requests.back().trace.by_index);
  CHECK(d.runner->requests.back().trace.index == Dim3{7, 0, 0});
  pump(*d.s);
  CHECK(d.s->motion.notes().size() == 1);
}

TEST_CASE("slow motion: a finding that is not in the first launch is looked for in the next") {
  Desk d;
  Diagnostic x;
  x.kernel = "first";
  x.block = Dim3{0, 0, 0};
  d.runner->steps = test::make_trace(false);
  d.s->recorder.open_at(x);
  pump(*d.s, 8);
  CHECK(d.runner->requests.size() >= 2);
  CHECK(d.runner->requests.back().trace.launch >= 1);
  d.runner->steps = test::make_trace(true);
  pump(*d.s, 200);
  CHECK_FALSE(d.s->running());
  CHECK(d.s->motion.notes().size() == 1);
}

TEST_CASE("slow motion: a recording that fails says why and keeps the one before") {
  Desk d;
  d.s->recorder.open();
  pump(*d.s);
  run::WorkerEvent e;
  e.kind = run::WorkerEvent::failed;
  e.text = "the run has no block 9";
  d.runner->scripts.push_back({e});
  d.s->recorder.record();
  pump(*d.s);
  CHECK(d.s->recorder.error == "the run has no block 9");
  CHECK(d.s->motion.trace() != nullptr);
}

TEST_CASE("a plot's recording gives way to F5, and an endless loop is not recorded for a plot") {
  test::Stage st;
  st.s->open("demo/1");
  st.s->skip_prediction();
  st.s->settings.plot = "bankmap";
  for (int k = 0; k < 60 && (st.s->running() || !st.s->view()->has_report); ++k) st.frame();
  auto traces = [&] {
    return std::count_if(st.runner->requests.begin(), st.runner->requests.end(),
                         [](auto& r) { return r.trace.on; });
  };
  st.frames(30);
  REQUIRE(traces() > 0);
  // Once more, with a recording that goes on.
  st.runner->delay = 40;
  st.s->run(false);
  for (int k = 0; k < 400 && !st.s->recorder.recording(); ++k) {
    if (!st.s->running()) st.s->view()->text.type("// "), st.s->save(), st.s->run(false);
    st.frame();
  }
  REQUIRE(st.s->recorder.recording());
  const size_t asked = st.runner->requests.size();
  st.press(key::f5);
  st.frames(10);
  REQUIRE(st.runner->requests.size() > asked);
  CHECK_FALSE(st.runner->requests.back().trace.on);
  st.runner->delay = 0;
  st.frames(120);
  st.runner->student.status = Status::timeout;
  st.s->view()->text.type("// ");
  REQUIRE(st.s->save());
  st.s->run(false);
  const auto before = traces();
  st.frames(120);
  CHECK(traces() == before);
}

TEST_CASE("while a plot records, the button is Run still, and the question comes before the run") {
  test::Stage st;
  st.s->open("demo/1");
  st.s->settings.plot = "bankmap";
  st.runner->delay = 60;
  st.s->run(false);
  for (int k = 0; k < 400 && !st.s->recorder.recording(); ++k) st.frame();
  REQUIRE(st.s->recorder.quiet());
  REQUIRE(st.s->awaiting_prediction());
  const size_t asked = st.runner->requests.size();
  ImVec4 button{};
  for (auto& [name, r] : st.ui->window.layout)
    if (name == "run") button = r;
  st.click((button.x + button.z) / 2, (button.y + button.w) / 2);
  CHECK(st.s->ui.shows(Overlay::predict));
  CHECK(st.s->recorder.recording());
  CHECK(st.runner->requests.size() == asked);
  // Answered, it runs: the recording gives way.
  st.s->predict("2");
  st.frames(10);
  REQUIRE(st.runner->requests.size() > asked);
  CHECK_FALSE(st.runner->requests.back().trace.on);
}

TEST_CASE("slow motion: opened from a race it names the finding and frames the lanes of both threads") {
  test::Stage st;
  st.s->open("demo/1");
  st.s->skip_prediction();
  st.frames(30);
  st.runner->steps = test::make_trace(true);
  Diagnostic d;
  d.kind = FindingKind::race;
  d.kernel = "first";
  d.message = "Race: thread 3 writes part[1] while thread 40 reads it.";
  d.block = Dim3{0, 0, 0};
  d.thread = Dim3{3, 0, 0};
  Related other;
  other.block = Dim3{0, 0, 0};
  other.thread = Dim3{40, 0, 0};
  d.related.push_back(other);
  auto lanes = [&] {
    std::vector<ImVec4> out;
    for (auto& [name, r] : st.ui->window.layout)
      if (name == "finding's lane") out.push_back(r);
    return out;
  };
  for (int k = 0; k < 60 && st.s->running(); ++k) st.frame();
  st.s->recorder.open_at(d);
  st.frames(60);
  REQUIRE(st.s->motion.trace());
  const auto both = lanes();
  REQUIRE(both.size() == 2);
  CHECK(both[0].y < both[1].y);  // warps 0 and 1
  CHECK(both[0].x < both[1].x);  // lanes 3 and 8
  CHECK(st.s->recorder.finding.words == d.message);
  // Recorded anew by hand it is about no finding.
  st.s->recorder.record();
  st.frames(60);
  CHECK(lanes().empty());
}
