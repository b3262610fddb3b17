// Editor text, highlighting, markdown, commands.
#include <doctest/doctest.h>

#include <map>

#include "fixtures.hpp"
#include "gui/input_queue.hpp"
#include "gui/model/commands.hpp"
#include "gui/model/text/highlight.hpp"
#include "gui/model/text/markdown.hpp"
#include "gui/model/text/text_buffer.hpp"

using namespace dojo::gui;

TEST_CASE("typing, undo and redo give back every text") {
  TextBuffer b;
  b.set("int a;\nint b;\n");
  CHECK_FALSE(b.modified());
  b.move_to({0, 6});
  for (char c : std::string(" // x")) b.type(std::string(1, c));
  CHECK(b.text() == "int a; // x\nint b;\n");
  CHECK(b.modified());
  b.undo();  // letters typed together go together
  CHECK(b.text() == "int a;\nint b;\n");
  CHECK_FALSE(b.modified());
  b.redo();
  CHECK(b.text() == "int a; // x\nint b;\n");
  b.select_all();
  b.type("one\ntwo");
  CHECK(b.text() == "one\ntwo");
  b.undo();
  b.undo();
  CHECK(b.text() == "int a;\nint b;\n");
  b.redo();
  b.redo();
  CHECK(b.text() == "one\ntwo");
  CHECK_FALSE(b.can_redo());
}

TEST_CASE("saving in the middle of the history is known, and lost when the history branches") {
  TextBuffer b;
  b.set("a");
  b.end(false);
  b.type("b");
  b.newline();
  b.mark_saved();
  CHECK_FALSE(b.modified());
  b.undo();
  CHECK(b.modified());
  b.redo();
  CHECK_FALSE(b.modified());
  b.undo();
  b.type("c");
  CHECK(b.modified());
  b.undo();
  CHECK(b.modified());
}

TEST_CASE("a long random walk of edits undoes to the start and redoes to the end") {
  TextBuffer b;
  b.set("alpha\n  beta {\n}\ngamma é µs\n");
  std::string start = b.text();
  // A version stands for one text.
  const uint64_t first = b.version();
  std::map<uint64_t, std::string> text_of;
  const auto same_text = [&] { REQUIRE(text_of.emplace(b.version(), b.text()).first->second == b.text()); };
  unsigned seed = 12345;
  auto roll = [&](unsigned n) { return (seed = seed * 1664525u + 1013904223u) / 65536 % n; };
  for (int k = 0; k < 2000; ++k) {
    switch (roll(12)) {
      case 0:
        b.type(std::string(1, char('a' + roll(26))));
        break;
      case 1:
        b.newline();
        break;
      case 2:
        b.backspace(roll(2));
        break;
      case 3:
        b.del(roll(2));
        break;
      case 4:
        b.left(roll(2), roll(2));
        break;
      case 5:
        b.right(roll(2), roll(2));
        break;
      case 6:
        b.up(roll(2));
        break;
      case 7:
        b.down(roll(2));
        break;
      case 8:
        b.indent(roll(2));
        break;
      case 9:
        b.toggle_comment();
        break;
      case 10:
        b.move_to({int(roll(8)), int(roll(12))}, roll(2));
        break;
      default:
        b.type("é\n·");
        break;
    }
    REQUIRE(b.caret().line < b.line_count());
    REQUIRE(b.caret().column <= int(b.lines()[size_t(b.caret().line)].size()));
    same_text();
  }
  std::string end = b.text();
  while (b.can_undo()) b.undo(), same_text();
  CHECK(b.text() == start);
  CHECK(b.version() == first);
  const uint64_t last = text_of.rbegin()->first;
  while (b.can_redo()) b.redo(), same_text();
  CHECK(b.text() == end);
  CHECK(b.version() == last);
  b.undo();
  b.type("another end");
  CHECK(b.version() > last);
}

TEST_CASE("the caret steps over whole UTF-8 letters") {
  TextBuffer b;
  b.set("aµb");
  b.right(false);
  b.right(false);
  CHECK(b.caret().column == 3);
  b.backspace();
  CHECK(b.text() == "ab");
  b.move_to({0, 99});
  CHECK(b.caret().column == 2);
}

TEST_CASE("a new line keeps the indentation and adds a level after a brace") {
  TextBuffer b;
  b.set("  if (x) {");
  b.end(false);
  b.newline();
  CHECK(b.text() == "  if (x) {\n    ");
  b.type("y");
  b.newline();
  CHECK(b.lines().back() == "    ");
}

TEST_CASE("a closing brace that begins its line moves out to the line of its opening brace") {
  TextBuffer b;
  b.set("  if (x) {\n    for (;;) { y(); }");
  b.end(false);
  b.move_to({1, 99});
  b.newline();
  REQUIRE(b.lines().back() == "    ");
  b.type("}");
  CHECK(b.text() == "  if (x) {\n    for (;;) { y(); }\n  }");
  CHECK(b.caret() == Caret{2, 3});
  b.undo();
  CHECK(b.lines().back() == "    ");
  // Where it stands right, behind other text, or without an opening brace it is a letter as others.
  b.set("if (x) {\n");
  b.move_to({1, 0});
  b.type("}");
  CHECK(b.text() == "if (x) {\n}");
  b.set("if (x) {\n  y = {0");
  b.move_to({1, 99});
  b.type("}");
  CHECK(b.lines().back() == "  y = {0}");
  b.set("  ");
  b.move_to({0, 2});
  b.type("}");
  CHECK(b.text() == "  }");
}

TEST_CASE("comment toggles all lines of a selection") {
  TextBuffer b;
  b.set("  a\n    b\n\nc");
  b.select_all();
  b.toggle_comment();
  CHECK(b.text() ==
        "// "
        "  a\n//     b\n\n// c");
  b.toggle_comment();
  CHECK(b.text() == "  a\n    b\n\nc");
}

TEST_CASE("find goes on from the caret and wraps") {
  TextBuffer b;
  b.set("one two\ntwo one");
  CHECK(b.find_next("two"));
  CHECK(b.caret() == Caret{0, 7});
  CHECK(b.find_next("two"));
  CHECK(b.caret() == Caret{1, 3});
  CHECK(b.find_next("two"));
  CHECK(b.caret() == Caret{0, 7});
  CHECK_FALSE(b.find_next("three"));
}

TEST_CASE("highlighting covers every byte of every line once") {
  std::vector<std::string> lines = {"#include <cstdio>  // c",
                                    "__global__ void k(float* a) { a[threadIdx.x] += 1.5e-3f; }",
                                    "/* open",
                                    "still */ int x = 0x1F; // µ",
                                    "k<<<1, 2>>>(p); printf(\"%d\\n\", 'a');",
                                    "",
                                    "\tx"};
  auto all = highlight_all(lines);
  for (size_t l = 0; l < lines.size(); ++l) {
    int at = 0;
    for (auto& r : all[l]) {
      CHECK(r.from == at);
      CHECK(r.to > r.from);
      at = r.to;
    }
    CHECK(at == int(lines[l].size()));
  }
  auto token = [&](size_t l, const std::string& word) {
    int at = int(lines[l].find(word));
    for (auto& r : all[l])
      if (at >= r.from && at < r.to) return r.token;
    return Token::plain;
  };
  CHECK(token(1, "__global__") == Token::cuda);
  CHECK(token(1, "threadIdx") == Token::builtin);
  CHECK(token(1, "1.5e-3f") == Token::number);
  CHECK(token(2, "open") == Token::comment);
  CHECK(token(3, "still") == Token::comment);
  CHECK(token(3, "int") == Token::type);
  CHECK(token(4, "k<<<") == Token::function);
  CHECK(token(4, "<<<") == Token::cuda);
}

TEST_CASE("markdown gives blocks and spans") {
  auto b = parse_markdown(
      "# Title\nText with **bold `x`**, *it*, `code` and {{a / b}}.\nSame paragraph.\n\n- one\n  - two\n1. "
      "three\n> quote\n\n| a | b |\n|---|--:|\n| `x|y` | {{n}} |\n\n```cpp\nint a;\n\n```\n---\n");
  REQUIRE(b.size() == 9);
  CHECK(b[0].kind == MdBlock::heading);
  CHECK(b[1].kind == MdBlock::paragraph);
  CHECK(b[1].text.back().s == ". Same paragraph.");
  CHECK(b[2].marker == "•");
  CHECK(b[3].level == 1);
  CHECK(b[4].marker == "1.");
  CHECK(b[5].kind == MdBlock::quote);
  REQUIRE(b[6].kind == MdBlock::table);
  CHECK(b[6].rows.size() == 2);
  CHECK(b[6].align[1] == 1);
  CHECK(b[6].rows[1][0][0].s == "x|y");
  CHECK(b[6].rows[1][1][0].kind == MdSpan::live);
  CHECK(b[7].lines == std::vector<std::string>{"int a;", ""});
  CHECK(b[8].kind == MdBlock::rule);
  bool live = false;
  for (auto& s : b[1].text) live = live || (s.kind == MdSpan::live && s.s == "a / b");
  CHECK(live);
  auto odd = parse_markdown("a * b * c_d_e and 2 ** 3, {{open");
  REQUIRE(odd.size() == 1);
  CHECK(odd[0].text.size() == 1);
  CHECK(parse_markdown("").empty());
}

TEST_CASE("commands are found by letters in order, starts of words first") {
  CHECK(fuzzy_score("xyz", "Run this step") < 0);
  CHECK(fuzzy_score("rts", "Run this step") > fuzzy_score("uni", "Run this step"));
  CommandTable t;
  t.add({.id = "a", .menu = "M", .title = "Run this step"});
  t.add({.id = "b", .menu = "M", .title = "Reset the file"});
  t.add({.id = "c", .menu = "N", .title = "Larger", .keys = {{key::equal, true}}});
  CHECK(t.search("run")[0]->id == "a");
  CHECK(t.search("rf")[0]->id == "b");
  CHECK(t.menus() == std::vector<std::string>{"M", "N"});
  CHECK(to_string(Chord{'P', true, true}) == "Ctrl+Shift+P");
  CHECK(to_string(Chord{key::f5}) == "F5");
}

TEST_CASE("letters in one piece come before the same letters strewn about") {
  CHECK(fuzzy_score("roofl", "Plot: Roofline") >
        fuzzy_score("roofl", "Rows of any length softmax/5-block-uncached"));
  CHECK(fuzzy_score("line", "Roofline") < fuzzy_score("line", "Comment lines"));
  CHECK(fuzzy_score("rl", "Roofline") >= 0);
  CHECK(fuzzy_score("xyz", "Roofline") == -1);
}

TEST_CASE("keys run their command only when it is usable, and plain ones not while typing") {
  int ran = 0;
  bool usable = true;
  CommandTable t;
  t.add({.id = "a", .title = "a", .keys = {{'G'}}, .act = [&] { ++ran; }, .enabled = [&] { return usable; }});
  CHECK(t.press({'G'}, false));
  CHECK_FALSE(t.press({'G'}, true));
  usable = false;
  CHECK_FALSE(t.press({'G'}, false));
  CHECK_FALSE(t.press({'H'}, false));
  CHECK(ran == 1);
  t.add({.id = "b", .title = "b", .keys = {{'G'}}});
  CHECK(t.clashes().size() == 1);
}

TEST_CASE("input: a shortcut tapped within one frame does not touch the letters after it") {
  using Event = dojo::gui::InputEvent;
  dojo::gui::InputQueue q;
  const int control = 341;
  auto keys = [&](std::initializer_list<std::pair<int, bool>> list) {
    for (auto [code, down] : list) q.push({Event::key, code, down});
  };
  keys({{control, true}, {'S', true}, {'S', false}, {control, false}, {'A', true}});
  q.push({Event::character, 'a'});
  keys({{'A', false}});
  std::vector<std::string> frames;
  while (!q.empty()) {
    q.begin_frame();
    frames.emplace_back();
    for (Event e; q.take(e);)
      frames.back() += e.kind == Event::character ? "a" : (e.down ? "+" : "-") + std::to_string(e.code) + " ";
    REQUIRE(frames.size() < 9);
  }
  CHECK(frames == std::vector<std::string>{"+341 +83 ", "-83 -341 +65 a", "-65 "});
}

TEST_CASE("input: letters typed right after Ctrl+P come when the palette's field has the keyboard") {
  using Event = dojo::gui::InputEvent;
  dojo::gui::InputQueue q;
  const int control = 341, with_control = 2;
  q.push({Event::key, control, true, 0, with_control});
  q.push({Event::key, 'P', true, 0, with_control});
  q.push({Event::key, 'P', false, 0, with_control});
  q.push({Event::key, control, false});
  q.push({Event::key, 'W', true});
  q.push({Event::character, 'w'});
  int frame = 0, command_at = -1, letter_at = -1;
  for (; !q.empty() && frame < 20; ++frame) {
    q.begin_frame();
    for (Event e; q.take(e);) {
      if (e.kind == Event::key && e.code == 'P' && e.down) command_at = frame;
      if (e.kind == Event::character) letter_at = frame;
    }
  }
  REQUIRE(command_at >= 0);
  CHECK(letter_at >= command_at + 3);
  CHECK(q.empty());
}

TEST_CASE("input: a click in one frame is a press and a release, where the mouse then was") {
  using Event = dojo::gui::InputEvent;
  dojo::gui::InputQueue q;
  q.push({Event::move, 0, false, 0, 0, 10, 20});
  q.push({Event::button, 0, true});
  q.push({Event::button, 0, false});
  q.push({Event::move, 0, false, 0, 0, 30, 40});
  std::vector<int> events;
  for (; !q.empty() && events.size() < 9; events.push_back(-1)) {
    q.begin_frame();
    for (Event e; q.take(e);) events.push_back(e.kind == Event::move ? int(e.x) : e.down);
  }
  CHECK(events == std::vector<int>{10, 1, -1, 0, -1, 30, -1});
}
