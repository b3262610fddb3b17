// Lectures without a window: runs of slides, covers, the presenter's page, recordings, decks in files.
#include <doctest/doctest.h>

#include <imgui.h>

#include <fstream>

#include "../near.hpp"
#include "core/error.hpp"
#include "fixtures.hpp"
#include "gui/deck_file.hpp"
#include "gui/model/teaching/presenter.hpp"
#include "gui/model/text/source_pages.hpp"
#include "gui/panels/teaching/presenter.hpp"
#include "gui/panels/ui.hpp"
#include "gui/theme.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::FakeRunner;

namespace {
const char* const deck_text = R"(title = "A talk"
lab = "demo"
[[slide]]
title = "Words"
step = "demo/1"
text = "It takes {{time_us}} us, *more* than `one`."
notes = "Breathe."
[[slide]]
title = "How long?"
show = "time"
hide = true
question = "Longer or shorter?"
text = "Now {{time_us}} us."
notes = "Let them vote."
[[slide]]
title = "Only the reference"
step = "demo/2"
show = "bounds"
who = "reference"
against = "demo/1"
[[slide]]
title = "In slow motion"
step = "demo/1"
show = "motion"
stop = "conflict"
[[slide]]
title = "The source"
show = "source"
)";

struct Room {
  test::TempFolder folder;
  FakeRunner* runner = nullptr;
  std::unique_ptr<Session> s;
  std::unique_ptr<Ui> ui;
  double now = 0;
  fs::path deck;
  explicit Room(const std::string& text = deck_text, float w = 1280, float h = 720) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {w, h};
    for (int k = 0; k < ImGuiKey_COUNT; ++k) io.KeyMap[k] = 400 + k;
    io.KeyMap[ImGuiKey_Escape] = key::escape;
    build_fonts(1);
    unsigned char* pixels;
    int tw, th;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &tw, &th);
    set_theme("contrast", 1);
    test::write_labs(folder.path);
    deck = folder.path / "talk.toml";
    std::ofstream(deck) << text;
    auto r = std::make_unique<FakeRunner>();
    runner = r.get();
    s = std::make_unique<Session>(load_catalog(folder.path), std::move(r),
                                  Places{folder.path / "config", folder.path / "data"}, test::make_devices());
    ui = std::make_unique<Ui>(*s);
  }
  ~Room() {
    ui.reset();
    s.reset();
    ImGui::DestroyContext();
  }
  void frame() {
    ImGui::GetIO().DeltaTime = 1.0f / 60;
    s->tick(now += 0.02);
    ImGui::NewFrame();
    ui->frame();
    ImGui::Render();
  }
  void frames(int n) {
    for (int k = 0; k < n; ++k) frame();
  }
  void press(int k) {
    ImGui::GetIO().KeysDown[k] = true;
    frame();
    ImGui::GetIO().KeysDown[k] = false;
    frame();
  }
  using Boxes = std::vector<std::pair<std::string, std::vector<float>>>;
  Boxes boxes() {
    Boxes out;
    for (auto& [name, r] : ui->window.layout)
      if (!name.starts_with("foot ")) out.push_back({name, {r.x, r.y, r.z, r.w}});  // words there come and go
    return out;
  }
};
}  // namespace

TEST_CASE("lecture: a slide runs what it shows, for the room only") {
  Room b;
  auto& s = *b.s;
  s.open("demo/1");
  REQUIRE(s.open_deck(b.deck.string()));
  b.frames(4);
  CHECK(b.runner->requests.empty());  // words need no run
  b.press(key::right);
  b.frames(30);
  REQUIRE(b.runner->requests.size() == 1);
  CHECK(b.runner->requests[0].who == run::Who::both);
  REQUIRE(s.view()->has_report);
  // No prediction was asked, no progress or history kept.
  CHECK_FALSE(s.ui.predict);
  CHECK(s.state_of("demo/1-first") == StepState::fresh);
  CHECK(s.view()->history.empty());
  // The next slide wants a reference alone, and another step's beside it: that one ran already.
  b.press(key::right);
  b.frames(30);
  REQUIRE(b.runner->requests.size() == 2);
  CHECK(b.runner->requests[1].step == "demo/2-second");
  CHECK(b.runner->requests[1].who == run::Who::reference);
  REQUIRE(s.slide_against());
  CHECK(s.slide_against()->who == "reference");
  b.press(key::right);
  b.frames(30);
  CHECK(b.runner->requests.back().trace.on);
  REQUIRE(s.motion.trace());
  CHECK(s.motion.stopped_at.find("conflict") != std::string::npos);
  CHECK_FALSE(s.ui.motion);
  // Back and forth: nothing runs twice. F5 runs again.
  const size_t n = b.runner->requests.size();
  b.press(key::left);
  b.press(key::left);
  b.frames(20);
  CHECK(b.runner->requests.size() == n);
  b.press(key::f5);
  b.frames(20);
  CHECK(b.runner->requests.size() == n + 1);
}

TEST_CASE("lecture: whoever goes on while a slide runs gets the next slide's run afterwards") {
  Room b;
  auto& s = *b.s;
  s.open("demo/1");
  s.open_deck(b.deck.string());
  b.runner->delay = 20;
  b.press(key::right);
  CHECK(s.running());
  b.press(key::right);
  b.frames(120);
  REQUIRE(b.runner->requests.size() == 2);
  CHECK(s.step()->id() == "demo/2-second");
  CHECK(s.view()->has_report);
}

TEST_CASE(
    "lecture: nothing on a slide moves: before, while and after a run, across a reveal, and with the notes "
    "open") {
  for (auto [w, h] : {std::pair{1280.f, 720.f}, {1920.f, 1080.f}, {1024.f, 768.f}}) {
    Room b(deck_text, w, h);
    auto& s = *b.s;
    s.open("demo/1");
    s.open_deck(b.deck.string());
    b.runner->delay = 25;
    b.press(key::right);
    REQUIRE(s.talk.covered());
    REQUIRE(s.running());
    const auto at_first = b.boxes();
    REQUIRE(at_first.size() == 4);  // title, text, what is shown, foot
    b.frames(5);
    CHECK(b.boxes() == at_first);
    while (s.running()) b.frame();
    b.frame();
    CHECK(s.view()->has_report);
    CHECK(b.boxes() == at_first);
    b.press(key::space);
    CHECK_FALSE(s.talk.covered());
    CHECK(b.boxes() == at_first);
    b.press('N');
    CHECK(b.boxes() == at_first);
    b.press(key::f5);
    CHECK(s.running());
    CHECK(b.boxes() == at_first);
    while (s.running()) b.frame();
    b.frame();
    CHECK(b.boxes() == at_first);
    // The same places on the next slide that has the same parts.
    b.press(key::left);
    auto words = b.boxes();
    CHECK(words[0].second[1] == at_first[0].second[1]);
  }
}

TEST_CASE("lecture: a result stays covered until space, numbers in the text too") {
  Room b;
  auto& s = *b.s;
  s.open("demo/1");
  s.open_deck(b.deck.string());
  b.press(key::right);
  b.frames(30);
  REQUIRE(s.view()->has_report);
  CHECK(s.talk.covered());
  PresenterPage page = presenter_page(s);
  CHECK(page.state == "covered: space shows it");
  CHECK_FALSE(page.answer.empty());
  b.press(key::space);
  CHECK_FALSE(s.talk.covered());
  CHECK(s.talk.at == 1);
  b.press(key::space);
  CHECK(s.talk.at == 2);
}

TEST_CASE("lecture: the presenter's page has notes, the next slide, the place and a clock, and is drawn") {
  Room b;
  auto& s = *b.s;
  s.open("demo/1");
  b.frames(50);  // a second passes
  s.open_deck(b.deck.string());
  b.frames(3200);
  PresenterPage p = presenter_page(s);
  CHECK(p.title == "Words");
  CHECK(p.notes == "Breathe.");
  CHECK(p.next_title == "How long?");
  CHECK(p.next_words == "Longer or shorter?");
  CHECK(p.position == "1 / 5");
  CHECK(p.elapsed == "1:04");
  CHECK(clock_text(3729) == "1:02:09");
  CHECK(clock_text(-1) == "0:00");
  // Drawn in a context that shares the fonts; the clock wakes the window once a second.
  ImGuiContext* main = ImGui::GetCurrentContext();
  ImGuiContext* second = ImGui::CreateContext(ImGui::GetIO().Fonts);
  ImGui::SetCurrentContext(second);
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().DisplaySize = {800, 560};
  for (int k = 0; k < 3; ++k) {
    ImGui::NewFrame();
    draw_presenter(s);
    ImGui::Render();
  }
  CHECK(ImGui::GetDrawData()->TotalVtxCount > 200);
  ImGui::DestroyContext(second);
  ImGui::SetCurrentContext(main);
  CHECK(s.next_tick() > 1.0);
  CHECK(s.commands.run("lecture.presenter"));
  CHECK(s.next_tick() <= 1.0);
  while (s.talk.next()) {
  }
  CHECK(presenter_page(s).next_title.empty());
}

TEST_CASE("lecture: a deck's recording is where its runs come from, unless the lecture is live") {
  std::string text = deck_text;
  text.replace(text.find("lab = "), 0, "recording = \"h100.json\"\n");
  Room b(text);
  auto& s = *b.s;
  s.open("demo/1");
  s.open_deck(b.deck.string());
  b.press(key::right);
  b.frames(30);
  CHECK(b.runner->requests.at(0).device == "rec:h100.json");
  // Slow motion needs the machine, wherever the times come from.
  b.press(key::right);
  b.frames(30);
  b.press(key::right);
  b.frames(30);
  CHECK(b.runner->requests.back().trace.on);
  CHECK(b.runner->requests.back().device.starts_with("simt:"));
  b.press(key::left);
  b.press(key::left);
  const size_t n = b.runner->requests.size();
  CHECK(s.commands.run("lecture.live"));
  b.frames(30);
  REQUIRE(b.runner->requests.size() > n);
  CHECK(b.runner->requests.back().device == "simt:h100");
}

TEST_CASE("deck file: HTML holds words, sources, plots and slow motion as vectors, and needs nothing else") {
  Room b;
  auto& s = *b.s;
  s.open("demo/1");
  fs::path out = b.folder.path / "talk.html";
  s.talk.deck = load_deck(b.deck, &s.catalog());
  s.ui.lecture = true;
  REQUIRE(s.export_deck(out));
  CHECK(write_deck(s) == "");
  std::string html;
  REQUIRE(read_file(out, html));
  size_t pictures = 0;
  for (size_t at = 0; (at = html.find("<svg", at)) != std::string::npos; ++at) ++pictures;
  CHECK(pictures == 5);  // two plots, the stop of the slow motion and two steps more
  CHECK(html.find("__global__") != std::string::npos);
  CHECK(html.find("Longer or shorter?") != std::string::npos);
  CHECK(html.find("Let them vote.") != std::string::npos);
  for (const char* outside : {"<script", "<link", "src=\"http", "url(http", "@import"})
    CHECK(html.find(outside) == std::string::npos);
  // Ids of one picture never stand in another.
  CHECK(html.find("id=\"s2-") != std::string::npos);
  CHECK(html.find("id=\"glyph") == std::string::npos);
  // The lecture goes on where it was.
  CHECK(s.step()->id() == "demo/1-first");
  CHECK(s.ui.lecture);
  CHECK(s.exporting.file.empty());
  b.frames(2);
}

TEST_CASE("deck file: each slide runs on the device of its own step") {
  Room b;
  const fs::path toml = b.folder.path / "labs/01-demo/lab.toml";
  std::string text;
  REQUIRE(read_file(toml, text));
  text.insert(text.find("title = \"The second step"), "device = \"simt:toy8\"\n");
  std::ofstream(toml) << text;
  b.ui.reset();
  auto runner = std::make_unique<FakeRunner>();
  b.runner = runner.get();
  b.s = std::make_unique<Session>(load_catalog(b.folder.path), std::move(runner), Places{},
                                  test::make_devices());
  b.ui = std::make_unique<Ui>(*b.s);
  Session& s = *b.s;
  s.open("demo/1");
  s.talk.deck = load_deck(b.deck, &s.catalog());
  s.ui.lecture = true;
  REQUIRE(s.export_deck(b.folder.path / "talk.html"));
  CHECK(write_deck(s) == "");
  size_t of_second = 0;
  for (const auto& r : b.runner->requests) {
    const bool second = r.step == "demo/2-second";
    CHECK(r.device == (second ? "simt:toy8" : "simt:h100"));
    of_second += second;
  }
  CHECK(of_second >= 1);
}

TEST_CASE("deck file: PDF has a page a slide; a file that can't be written says so; cancelling leaves none") {
  Room b;
  auto& s = *b.s;
  s.open("demo/1");
  s.talk.deck = load_deck(b.deck, &s.catalog());
  s.ui.lecture = true;
  fs::path out = b.folder.path / "talk.pdf";
  REQUIRE(s.export_deck(out));
  CHECK(write_deck(s) == "");
  std::string pdf;
  REQUIRE(read_file(out, pdf));
  CHECK(pdf.starts_with("%PDF-1."));
  CHECK(pdf.find("/Count 5") != std::string::npos);
  CHECK(pdf.find("/ToUnicode") != std::string::npos);  // text is text, not pictures
  CHECK(pdf.find("/Subtype /Image") == std::string::npos);
  CHECK_FALSE(fs::exists(out.string() + ".part"));
  std::ofstream(b.folder.path / "file") << "x";
  REQUIRE(s.export_deck(b.folder.path / "file" / "talk.pdf"));
  CHECK(write_deck(s) != "");
  CHECK(s.toasts().back().tone == Tone::bad);
  s.view()->has_report = false;
  b.runner->delay = 1000;
  REQUIRE(s.export_deck(b.folder.path / "none.pdf"));
  b.frames(2);
  s.cancel();
  b.frames(10);
  CHECK_FALSE(s.exporting.ready);
  CHECK_FALSE(fs::exists(b.folder.path / "none.pdf"));
}

TEST_CASE(
    "source pages: type shrinks to a least size, then lines are broken and pages added, and nothing is left "
    "out") {
  auto text_of = [](const SourcePages& p, const std::vector<std::string>& lines) {
    std::vector<std::string> out(lines.size());
    for (auto& page : p.pages)
      for (auto& r : page)
        out[size_t(r.line)] += lines[size_t(r.line)].substr(size_t(r.from), size_t(r.to - r.from));
    return out;
  };
  const std::vector<std::string> few(10, "int a = 1;");
  SourcePages p = set_pages(few, 80, 30, 0.7f);
  CHECK(p.type == 1);
  REQUIRE(p.pages.size() == 1);
  CHECK(p.pages[0].size() == 10);
  // Forty rows where thirty stand: smaller type, one page.
  std::vector<std::string> more(40, "int a = 1;");
  p = set_pages(more, 80, 30, 0.7f);
  CHECK(p.pages.size() == 1);
  CHECK(p.type == dojo::tolerance::within(0.75));
  // A hundred: the least type, 42 rows on the first page, 57 on the next.
  std::vector<std::string> many(100, "int a = 1;");
  many.back() = "}  // the last";
  p = set_pages(many, 80, 30, 0.7f, 40);
  CHECK(p.type == dojo::tolerance::within(0.7));
  REQUIRE(p.pages.size() == 3);
  CHECK(p.pages[0].size() == 42);
  CHECK(p.pages[1].size() == 57);
  CHECK(p.pages.back().back().line == 99);
  CHECK(text_of(p, many) == many);
  // Wide lines: smaller type as long as it may be, then broken between words, deeper in.
  std::vector<std::string> wide{"  " + std::string(98, 'x')};
  p = set_pages(wide, 80, 30, 0.7f);
  CHECK(p.type == dojo::tolerance::within(0.8));
  CHECK(p.pages[0].size() == 1);
  std::string words = "    f(";
  for (int k = 0; k < 60; ++k) words += "argument, ";
  wide = {words, "", "\tµs"};
  p = set_pages(wide, 80, 30, 0.7f);
  CHECK(p.type == dojo::tolerance::within(0.7));
  CHECK(p.pages[0].size() > 6);
  CHECK(text_of(p, wide) == wide);
  const int columns = int(80 / 0.7f);
  for (auto& r : p.pages[0]) {
    CHECK(columns_of(wide[size_t(r.line)], r.to) - columns_of(wide[size_t(r.line)], r.from) +
              (r.from ? SourcePages::indent(wide[size_t(r.line)], columns) : 0) <=
          columns);
    if (r.to < int(wide[size_t(r.line)].size())) CHECK(wide[size_t(r.line)][size_t(r.to - 1)] == ' ');
  }
  CHECK(set_pages({}, 80, 30, 0.7f).pages.size() == 1);
  CHECK(columns_of("\tµs", 4) == 6);
}

TEST_CASE("deck file: a long source goes on over several pages of the PDF, to its last line") {
  Room b(R"(title = "A talk"
lab = "demo"
[[slide]]
title = "The source"
step = "demo/1"
show = "source"
notes = "Slowly."
[[slide]]
title = "And beside words"
show = "source"
text = "Look at it."
)");
  const fs::path file = b.folder.path / "labs/01-demo/1-first.cu";
  std::ofstream more(file, std::ios::app);
  for (int k = 0; k < 120; ++k)
    more << "// line " << k << " of many, " << std::string(k % 3 ? 20 : 190, '-') << "\n";
  more.close();
  auto& s = *b.s;
  s.open("demo/1");
  const int lines = s.view()->text.line_count();
  REQUIRE(lines > 120);
  s.talk.deck = load_deck(b.deck, &s.catalog());
  s.ui.lecture = true;
  const fs::path out = b.folder.path / "talk.pdf";
  REQUIRE(s.export_deck(out));
  while (!s.exporting.ready) s.tick(b.now += 0.02);
  DeckFile f(s);
  while (f.step()) {
  }
  CHECK(f.error() == "");
  CHECK(f.type() >= 8 - 1e-3);
  std::string pdf;
  REQUIRE(read_file(out, pdf));
  CHECK(pdf.find("/Count " + std::to_string(f.pages().size())) != std::string::npos);
  for (size_t slide : {0, 1}) {
    int last = 0, pages = 0;
    for (auto& p : f.pages()) {
      if (p.slide != slide) continue;
      ++pages;
      // On where the page before ended: in the same line, broken, or in the next.
      CHECK((p.first_line == last || p.first_line == last + 1));
      last = p.last_line;
    }
    CHECK(pages >= 3);
    CHECK(last == lines);
  }
}
