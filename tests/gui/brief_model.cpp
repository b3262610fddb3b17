// Briefs are rendered in one place: no template reaches window, terminal or deck.
#include <doctest/doctest.h>

#include "gui/model/teaching/lecture.hpp"
#include "gui/model/text/brief.hpp"
#include "gui/model/verdict.hpp"
#include "session_bench.hpp"

using namespace dojo;
using namespace dojo::gui;

TEST_CASE("brief: live numbers stand as values on the terminal and in a deck") {
  test::TempFolder folder;
  test::write_labs(folder.path);
  const Catalog catalog = load_catalog(folder.path);
  const Step& step = catalog.find("demo/1");
  const Report report = test::make_report(step.id(), {}, {});
  const std::string time = live_value("time_us", step, &report);
  const std::string with = plain_text(render_brief(step.brief, &step, &report), 60);
  CHECK(with.find("{{") == std::string::npos);
  CHECK(with.find("takes " + time) != std::string::npos);
  CHECK(with.find("tier    time\n  first     12") != std::string::npos);  // a table keeps its columns
  CHECK(with.find("    bank 0 1 2 3\n") != std::string::npos);            // and a figure its lines
  const std::string without = plain_text(render_brief(step.brief, &step, nullptr), 60);
  CHECK(without.find("takes — µs") != std::string::npos);
  Deck deck = make_deck(*catalog.find_lab("demo"));
  const std::string html = deck_html(deck, catalog, {}, [&](const std::string&) { return &report; });
  CHECK(html.find(time) != std::string::npos);
  CHECK(html.find("{{") == std::string::npos);
}

TEST_CASE("brief: long paragraphs are broken at blanks, items are indented") {
  const std::string text =
      plain_text(render_brief("one two three four five\n\n- six seven eight nine\n", nullptr, nullptr), 12);
  CHECK(text == "one two\nthree four\nfive\n\n• six seven\n  eight nine\n");
}

TEST_CASE("brief: a time has the unit of the device that it is from") {
  Step step;
  Report report;
  RunReport run;
  run.who = "student";
  run.time_us.value = 12.5;
  run.launches.emplace_back();
  report.runs.push_back(run);
  const auto said = [&](const char* text) { return plain_text(render_brief(text, &step, &report), 80); };
  report.device.kind = DeviceKind::simt;
  report.device.clock_mhz = 1980;
  CHECK(said("Last run: {{time_us}} units, in 3 units.") == "Last run: 12.5 µs, in 3 units.\n");
  CHECK(said("Last run: {{time_us}} µs.") == "Last run: 12.5 µs.\n");
  report.device.clock_mhz = 1;
  CHECK(said("Last run: {{time_us}} units.") == "Last run: 12.5 units.\n");
  CHECK(said("Last run: {{time_us}} µs.") == "Last run: 12.5 units.\n");
}

TEST_CASE("numbers as they are typed: commas between thousands, and decimal commas") {
  const auto read = [](const char* text) {
    double v = -1;
    return parse_number(text, v) ? v : -1;
  };
  CHECK(read("3,584") == 3584);
  CHECK(read("1,048,576") == 1048576);
  CHECK(read("116 160") == 116160);
  CHECK(read("0,142") == 0.142);
  CHECK(read("12,5") == 12.5);
  CHECK(read("4,1875") == 4.1875);
  CHECK(read("2,5k") == 2500);
  CHECK(read("1,000/8") == 125);
  CHECK(read("33,3 %") == 33.3);
  CHECK(read("3,584.5") == 3584.5);
  for (const char* none : {"abc", "~45", "45 wavefronts", "1,2,3", "0,142,857", "1.5,2", ",", ""}) {
    CAPTURE(none);
    CHECK(read(none) == -1);
  }
}

TEST_CASE("a prediction of a number takes a number only, and one of words takes words") {
  test::SessionBench b;
  b.s->open("demo/1");
  REQUIRE(b.s->awaiting_prediction());
  b.s->predict("abc");
  CHECK(b.s->awaiting_prediction());
  CHECK_FALSE(b.s->running());
  Prediction p;
  p.answer = "0.142";
  CHECK(can_predict(p, "0,142"));
  CHECK_FALSE(can_predict(p, "abc"));
  p.answer = "", p.counter = "wavefronts";
  CHECK_FALSE(can_predict(p, "~45"));
  p.choices = {"more", "less"};
  CHECK(can_predict(p, "more"));
  CHECK_FALSE(can_predict(p, ""));
  b.s->predict("2");
  CHECK_FALSE(b.s->awaiting_prediction());
}
