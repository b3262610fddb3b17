// The session without a window: runs, predictions, saves, sweeps, and what the app says of them.
#include <doctest/doctest.h>

#include <fstream>
#include <thread>

#include "../near.hpp"
#include "core/error.hpp"
#include "gui/model/text/editor.hpp"
#include "gui/plot/axis.hpp"
#include "session_bench.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::SessionBench;

TEST_CASE("a run asks for the prediction first, then shows verdict, heat and blocks") {
  SessionBench b;
  auto& s = *b.s;
  REQUIRE(s.open("demo/1"));
  CHECK(s.awaiting_prediction());
  CHECK_FALSE(s.run());
  CHECK(s.ui.shows(Overlay::predict));
  CHECK(b.runner->requests.empty());
  s.predict("3");
  CHECK(s.running());
  REQUIRE(b.runner->requests.size() == 1);
  CHECK(b.runner->requests[0].step == "demo/1-first");
  CHECK(b.runner->requests[0].lines);
  CHECK(b.runner->requests[0].blocks);
  b.settle();
  CHECK_FALSE(s.running());
  auto* v = s.view();
  REQUIRE(v->has_report);
  CHECK(v->heat.at(8).heat == dojo::tolerance::within(1));
  CHECK(v->student_blocks.spans.size() == 4096);
  CHECK(s.state_of("demo/1-first") == StepState::passed);
  Reveal r = reveal(*s.step(), s.progress_of("demo/1-first").prediction, &v->report);
  CHECK(r.judged);
  CHECK_FALSE(r.right);
  CHECK(r.answer == "2");
  CHECK(s.next_step()->id() == "demo/2-second");
  CHECK(s.solved_or_instructor());
}

TEST_CASE("progress bars only go forward and end with the run") {
  SessionBench b;
  REQUIRE(b.s->open("demo/2"));
  REQUIRE(b.s->run());
  double last = 0;
  while (b.s->running()) {
    b.s->tick(b.now += 0.01);
    if (!b.s->running()) break;
    CHECK(b.s->overall_progress() >= last);
    last = b.s->overall_progress();
  }
  CHECK(last > 0.5);
}

TEST_CASE("a failed run marks the step, and a later failure doesn't take a pass away") {
  SessionBench b;
  auto& s = *b.s;
  s.open("demo/2");
  s.view()->text.type("// mine\n");  // an untouched file is no try
  b.runner->student.status = Status::gate_failed;
  s.run();
  b.settle();
  CHECK(s.state_of("demo/2-second") == StepState::failed);
  CHECK_FALSE(s.solved_or_instructor());
  b.runner->student.status = Status::pass;
  s.run();
  b.settle();
  CHECK(s.state_of("demo/2-second") == StepState::passed);
  b.runner->student.status = Status::wrong;
  s.run();
  b.settle();
  CHECK(s.state_of("demo/2-second") == StepState::passed);
  CHECK(s.view()->history.size() == 3);
}

TEST_CASE("cancelling ends the run and says so; nothing else changes") {
  SessionBench b;
  auto& s = *b.s;
  s.open("demo/2");
  b.runner->delay = 1000;
  s.run();
  b.settle(3);
  CHECK(s.running());
  CHECK(s.commands.run("run.cancel"));
  b.settle();
  CHECK_FALSE(s.running());
  CHECK_FALSE(s.view()->has_report);
  CHECK(s.state_of("demo/2-second") == StepState::fresh);
  CHECK(s.toasts().back().text == "The run was cancelled.");
}

TEST_CASE("a worker that dies or never answers leaves a line and an app that goes on") {
  SessionBench b;
  auto& s = *b.s;
  s.open("demo/2");
  run::WorkerEvent died;
  died.kind = run::WorkerEvent::died;
  died.text = "killed";
  b.runner->scripts.push_back({died});
  b.runner->scripts.push_back({});  // goes idle without a word
  s.run();
  b.settle();
  CHECK(s.view()->error.find("killed") != std::string::npos);
  s.run();
  b.settle();
  CHECK_FALSE(s.running());
  CHECK_FALSE(s.view()->error.empty());
  b.runner->fail_start = true;
  CHECK_FALSE(s.run());
  CHECK(s.view()->error.starts_with("the worker can't be started"));
  CHECK(s.view()->error.find("F5") != std::string::npos);
  b.runner->fail_start = false;
  CHECK(s.run());
  b.settle();
  CHECK(s.view()->error.empty());
  CHECK(s.view()->has_report);
}

TEST_CASE("edits are saved before a run and make the last report stale") {
  SessionBench b;
  auto& s = *b.s;
  s.open("demo/2");
  s.run();
  b.settle();
  auto* v = s.view();
  CHECK_FALSE(v->stale());
  v->text.type("// mine\n");
  s.edit_done();
  CHECK(v->stale());
  CHECK(v->heat.empty());
  CHECK(b.text(b.file("2-second.cu")).find("// mine") == std::string::npos);
  s.run();
  CHECK(b.text(b.file("2-second.cu")).starts_with("// mine\n"));
  b.settle();
  CHECK_FALSE(v->stale());
  CHECK_FALSE(v->heat.empty());
}

TEST_CASE("a save by another program is run, however the editor writes it") {
  SessionBench b;
  auto& s = *b.s;
  s.open("demo/2");
  auto wait_for_run = [&](size_t n) {
    for (int k = 0; k < 400 && b.runner->requests.size() < n; ++k) {
      s.tick(b.now += 0.01);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    b.settle();
    return b.runner->requests.size();
  };
  std::ofstream(b.file("2-second.cu")) << "// in place\n";
  CHECK(wait_for_run(1) == 1);
  CHECK(s.view()->text.text() == "// in place\n");
  std::ofstream(b.file("new.tmp")) << "// renamed over\n";
  fs::rename(b.file("new.tmp"), b.file("2-second.cu"));
  CHECK(wait_for_run(2) == 2);
  CHECK(s.view()->text.text() == "// renamed over\n");
  // With the switch off the text is taken, but nothing runs.
  s.commands.run("run.watch");
  std::ofstream(b.file("2-second.cu")) << "// third\n";
  for (int k = 0; k < 300 && s.view()->text.text() != "// third\n"; ++k) {
    s.tick(b.now += 0.01);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  b.settle();
  CHECK(s.view()->text.text() == "// third\n");
  CHECK(b.runner->requests.size() == 2);
  // Edits here are never thrown away for what comes from the disk.
  s.view()->text.type("x");
  std::ofstream(b.file("2-second.cu")) << "// fourth\n";
  for (int k = 0; k < 300 && !s.view()->disk_newer; ++k) {
    s.tick(b.now += 0.01);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  CHECK(s.view()->disk_newer);
  CHECK(s.view()->text.text() == "x// third\n");
  s.take_disk();
  CHECK(s.view()->text.text() == "// fourth\n");
  s.view()->text.undo();
  CHECK(s.view()->text.text() == "x// third\n");
}

TEST_CASE("a sweep runs every size once and ends") {
  SessionBench b;
  auto& s = *b.s;
  s.open("demo/2");
  s.start_sweep();
  b.settle(400);
  CHECK_FALSE(s.running());
  CHECK(s.sweep().points.size() == 11);
  CHECK(s.sweep().points.back().size.at("n") == 1048576);
  CHECK(s.sweep().points.front().size.at("n") == 1024);
}

TEST_CASE("a sweep over a lab's curve has its axes; with all tiers, the other steps' references beside it") {
  SessionBench b;
  test::TempFolder& t = b.folder;
  std::string toml = b.text(t.path / "labs/01-demo/lab.toml");
  toml.replace(
      toml.find("entry ="), 0,
      "curve = { extents = [\"n\"], values = [64, 256, 1024], y = \"blocks\", label = \"blocks\" }\n");
  std::ofstream(t.path / "labs/01-demo/lab.toml") << toml;
  b.start();
  auto& s = *b.s;
  s.open("demo/2");
  s.start_sweep();
  b.settle(400);
  CHECK(s.sweep().x_label == "n");
  CHECK(s.sweep().y_label == "blocks");
  REQUIRE(s.sweep().points.size() == 3);
  CHECK(s.sweep().points[1].x == 256);
  CHECK(s.sweep().points[1].size.at("n") == 256);
  CHECK(s.sweep().points[1].reference > 0);
  CHECK(s.sweep().tiers.empty());
  s.start_sweep(true);
  b.settle(800);
  CHECK_FALSE(s.running());
  CHECK_FALSE(s.sweep().running);
  CHECK(s.sweep().done == 6);
  REQUIRE(s.sweep().tiers.size() == 1);
  CHECK(s.sweep().tiers[0].first == "demo/1-first");
  CHECK(s.sweep().tiers[0].second.size() == 3);
  CHECK(s.sweep().tiers[0].second[2].first == 1024);
}

TEST_CASE("sizes are read as people write them, and refused in words") {
  Size n{{"n", 1}}, rc{{"rows", 1}, {"cols", 2}};
  CHECK(parse_size("4194304", n).at("n") == 4194304);
  CHECK(parse_size("2^20", n).at("n") == 1048576);
  CHECK(parse_size("4M", n).at("n") == 4194304);  // as the terminal reads it
  CHECK(parse_size("4Mi", n).at("n") == 4194304);
  CHECK(parse_size("4,194,304", n).at("n") == 4194304);
  CHECK(parse_size("n = 1 000", n).at("n") == 1000);
  CHECK(parse_size("rows=64, cols=1k", rc).at("cols") == 1024);
  CHECK(parse_size("cols=7", rc).at("rows") == 1);
  for (const char* bad : {"", "abc", "-5", "1.5", "1e30", "n=x", "m=5"})
    CHECK_THROWS_AS(parse_size(bad, n), Error);
  CHECK_THROWS_AS(parse_size("5", rc), Error);
  auto choices = size_choices({{"n", 4194304}});
  CHECK(std::find(choices.begin(), choices.end(), Size{{"n", 4194304}}) != choices.end());
  CHECK(std::is_sorted(choices.begin(), choices.end()));
  CHECK(choices.size() >= 6);
}

TEST_CASE("live numbers of a brief come from the last run") {
  SessionBench b;
  b.s->open("demo/2");
  CHECK(live_value("shared_conflicts", *b.s->step(), nullptr) == "—");
  b.runner->student.status = Status::gate_failed;
  b.s->run();
  b.settle();
  auto* r = &b.s->view()->report;
  CHECK(live_value("shared_conflicts / blocks", *b.s->step(), r) == "105");
  CHECK(live_value("reference: shared_conflicts", *b.s->step(), r) == "0");
  CHECK(live_value("no_such_thing", *b.s->step(), r) == "—");
}

TEST_CASE("every command has a title and help, ids and keys are unique") {
  SessionBench b;
  std::set<std::string> ids;
  for (auto& c : b.s->commands.all()) {
    CHECK(ids.insert(c.id).second);
    CHECK_FALSE(c.title.empty());
    CHECK_FALSE(c.help.empty());
    CHECK(c.act);
    CHECK_MESSAGE(!c.enabled == c.needs.empty(), c.id);  // what can't be used says why
  }
  CHECK(b.s->commands.clashes().empty());
}

TEST_CASE("editors are started with the line in the way each wants") {
  CHECK(editor_arguments("code --reuse-window", "/a/b.cu", 7) ==
        std::vector<std::string>{"code", "--reuse-window", "-g", "/a/b.cu:7"});
  CHECK(editor_arguments("/usr/bin/gedit", "/a b.cu", 0) ==
        std::vector<std::string>{"/usr/bin/gedit", "+1", "/a b.cu"});
  CHECK(editor_arguments("unknown", "x", 3).size() == 2);
  CHECK_FALSE(start_detached({"no-such-program-here"}).empty());
}

TEST_CASE("headlines say what to look at") {
  for (Status st : {Status::pass, Status::gate_failed, Status::wrong, Status::finding, Status::compile_error,
                    Status::timeout, Status::crash}) {
    test::RunShape shape;
    shape.status = st;
    shape.blocks = 16;
    Headline h = headline(test::make_run(shape));
    CHECK_FALSE(h.title.empty());
    CHECK_FALSE(h.detail.empty());
    CHECK((h.tone == Tone::good) == (st == Status::pass));
  }
  test::RunShape race;
  race.status = Status::finding;
  CHECK(headline(test::make_run(race)).title == "A race");
  RunReport leak = test::make_run(race);
  leak.diagnostics[0].kind = FindingKind::leak;
  CHECK(headline(leak).title == "Memory that is never freed");
}

TEST_CASE("a deck is read strictly, and one is made for a lab without") {
  SessionBench b;
  fs::path file = b.folder.path / "deck.toml";
  std::ofstream(file) << "title = \"T\"\n[[slide]]\ntitle = \"a\"\nstep = \"demo/1\"\ntext = "
                         "\"hello\"\n[[slide]]\nshow = \"timeline\"\nhide = true\nquestion = \"?\"\n";
  Deck d = load_deck(file, &b.s->catalog());
  REQUIRE(d.slides.size() == 2);
  CHECK(d.slides[1].step == "demo/1");
  Lecture l{d, 0, false, false};
  CHECK(l.advance());
  CHECK(l.covered());
  CHECK(l.advance());
  CHECK_FALSE(l.covered());
  CHECK_FALSE(l.advance());
  CHECK(l.back());
  for (const char* bad : {"title = 1", "title = \"x\"", "[[slide]]\ntitel = \"x\"",
                          "[[slide]]\nshow = \"pie\"", "tilte = \"x\"\n[[slide]]\n",
                          "left_out = 1\n[[slide]]\n", "[[slide]]\nstep = \"demo/9\"", "[[slide"}) {
    std::ofstream(file) << bad;
    CHECK_THROWS_AS(load_deck(file, &b.s->catalog()), Error);
  }
  b.s->open("demo/1");
  CHECK(b.s->lectern.open());
  CHECK(b.s->ui.lecture);
  CHECK(b.s->lectern.talk.deck.slides.size() == 1 + 3 * 2);
  std::string html = deck_html(b.s->lectern.talk.deck, b.s->catalog(), {});
  CHECK(html.find("__global__ void sum") != std::string::npos);
  CHECK(html.find("http") == std::string::npos);
}
