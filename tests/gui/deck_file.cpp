// Decks drawn into files: what HTML and PDF hold, on which device each slide runs, what is said when a file
// can't be written, and sources over several pages.
#include <doctest/doctest.h>

#include <fstream>
#include <set>

#include "../near.hpp"
#include "core/error.hpp"
#include "gui/deck_file.hpp"
#include "gui/model/text/source_pages.hpp"
#include "lecture_room.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::deck_text;
using test::FakeRunner;
using test::Room;

TEST_CASE("deck file: HTML holds words, sources, plots and slow motion as vectors, and needs nothing else") {
  Room b;
  auto& s = *b.s;
  s.open("demo/1");
  fs::path out = b.folder.path / "talk.html";
  s.lectern.talk.deck = load_deck(b.deck, &s.catalog());
  s.ui.lecture = true;
  REQUIRE(s.lectern.write_file(out));
  CHECK(write_deck(s) == "");
  std::string html = read_regular_file(out).value();
  size_t pictures = 0;
  for (size_t at = 0; (at = html.find("<svg", at)) != std::string::npos; ++at) ++pictures;
  CHECK(pictures == 5);  // two plots, the stop of the slow motion and two steps more
  CHECK(html.find("__global__") != std::string::npos);
  CHECK(html.find("Longer or shorter?") != std::string::npos);
  CHECK(html.find("Let them vote.") != std::string::npos);
  for (const char* outside : {"<script", "<link", "src=\"http", "url(http", "@import"})
    CHECK(html.find(outside) == std::string::npos);
  // Ids of one picture never stand in another, nor does an XML head stand in the page.
  CHECK(html.find("id=\"glyph") == std::string::npos);
  CHECK(html.find("<?xml") == std::string::npos);
  std::set<std::string> ids;
  const std::string mark = " id=\"";
  for (size_t at = 0; (at = html.find(mark, at)) != std::string::npos;) {
    const size_t from = at + mark.size(), end = html.find('"', from);
    CHECK_MESSAGE(ids.insert(html.substr(from, end - from)).second, html.substr(from, end - from));
    at = end;
  }
  CHECK(ids.size() > 10);
  // The notes of a covered slide tell its answer: they lie under the cover.
  const size_t cover = html.find("<details>"), notes = html.find("Let them vote.");
  CHECK(cover < notes);
  CHECK(notes < html.find("</details>"));
  // The lecture goes on where it was.
  CHECK(s.step()->id() == "demo/1-first");
  CHECK(s.ui.lecture);
  CHECK(s.lectern.exporting.file.empty());
  b.frames(2);
}

TEST_CASE("deck file: each slide runs on the device of its own step") {
  Room b;
  const fs::path toml = b.folder.path / "labs/01-demo/lab.toml";
  std::string text = read_regular_file(toml).value();
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
  s.lectern.talk.deck = load_deck(b.deck, &s.catalog());
  s.ui.lecture = true;
  REQUIRE(s.lectern.write_file(b.folder.path / "talk.html"));
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
  s.lectern.talk.deck = load_deck(b.deck, &s.catalog());
  s.ui.lecture = true;
  fs::path out = b.folder.path / "talk.pdf";
  REQUIRE(s.lectern.write_file(out));
  CHECK(write_deck(s) == "");
  std::string pdf = read_regular_file(out).value();
  CHECK(pdf.starts_with("%PDF-1."));
  CHECK(pdf.find("/Count 5") != std::string::npos);
  CHECK(pdf.find("/ToUnicode") != std::string::npos);  // text is text, not pictures
  CHECK(pdf.find("/Subtype /Image") == std::string::npos);
  CHECK_FALSE(fs::exists(out.string() + ".part"));
  std::ofstream(b.folder.path / "file") << "x";
  REQUIRE(s.lectern.write_file(b.folder.path / "file" / "talk.pdf"));
  CHECK(write_deck(s) != "");
  CHECK(s.toasts().back().tone == Tone::bad);
  s.view()->has_report = false;
  b.runner->delay = 1000;
  REQUIRE(s.lectern.write_file(b.folder.path / "none.pdf"));
  b.frames(2);
  s.cancel();
  b.frames(10);
  CHECK_FALSE(s.lectern.exporting.ready);
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
  // A hundred: three pages even in the least type, so in the usual type, which needs no more.
  std::vector<std::string> many(100, "int a = 1;");
  many.back() = "}  // the last";
  p = set_pages(many, 80, 30, 0.7f, 40);
  CHECK(p.type > 0.98f);
  REQUIRE(p.pages.size() == 3);
  CHECK(p.pages[0].size() == 30);
  CHECK(p.pages[1].size() == 40);
  CHECK(p.pages.back().back().line == 99);
  CHECK(text_of(p, many) == many);
  // Ninety: two pages in the least type, and in hardly a larger one.
  const std::vector<std::string> ninety(90, "int a = 1;");
  p = set_pages(ninety, 80, 30, 0.7f, 40);
  CHECK(p.pages.size() == 2);
  CHECK(p.type < 0.8f);
  CHECK(text_of(p, ninety) == ninety);
  // A line that is whole in the least type stays whole.
  std::vector<std::string> mixed(60, "int a = 1;");
  mixed[3] = std::string(100, 'x');
  p = set_pages(mixed, 80, 30, 0.7f);
  CHECK(p.pages.size() == 2);
  CHECK(p.type == dojo::tolerance::within(0.8, 0.03));
  for (auto& page : p.pages)
    for (auto& r : page) CHECK(r.from == 0);
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
  s.lectern.talk.deck = load_deck(b.deck, &s.catalog());
  s.ui.lecture = true;
  const fs::path out = b.folder.path / "talk.pdf";
  REQUIRE(s.lectern.write_file(out));
  while (!s.lectern.exporting.ready) s.tick(b.now += 0.02);
  DeckFile f(s);
  while (f.step()) {
  }
  CHECK(f.error() == "");
  CHECK(f.type() >= 8 - 1e-3);
  std::string pdf = read_regular_file(out).value();
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
