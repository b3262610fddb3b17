// Sources and figures whose lines are wider than their room: on slides, which do not scroll sideways, in
// the editor, and in briefs.
#include <doctest/doctest.h>

#include <imgui_internal.h>

#include <fstream>

#include "../near.hpp"
#include "gui/model/text/source_pages.hpp"
#include "stage.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::Stage;

namespace {
std::vector<std::string> joined(const SourceSheet& s, const std::vector<std::string>& lines) {
  std::vector<std::string> out(lines.size());
  for (auto& r : s.rows)
    out[size_t(r.line)] += lines[size_t(r.line)].substr(size_t(r.from), size_t(r.to - r.from));
  return out;
}
int widest(const SourceSheet& s, const std::vector<std::string>& lines, int columns) {
  int most = 0;
  for (auto& r : s.rows) {
    auto& l = lines[size_t(r.line)];
    most = std::max(
        most, columns_of(l, r.to) - columns_of(l, r.from) + (r.from ? SourcePages::indent(l, columns) : 0));
  }
  return most;
}
const std::string long_line =
    "    // TODO: lanes that are neighbours read words that are far apart, and meet in the same bank; halve "
    "the stride instead of doubling it, so that they lie side by side";

/// The window of a view by the end of its name.
ImGuiWindow* view(const std::string& name) {
  for (ImGuiWindow* w : ImGui::GetCurrentContext()->Windows)
    if (std::string(w->Name).find("/" + name + "_") != std::string::npos && w->Active) return w;
  return nullptr;
}
}  // namespace

TEST_CASE("a sheet: wide lines are broken, and nothing is left out or too wide") {
  CHECK(set_sheet(std::vector<std::string>(10, "int a = 1;"), 80).rows.size() == 10);
  CHECK(set_sheet({std::string(100, 'x')}, 80).rows.size() == 2);
  const std::vector<std::string> mixed{long_line, "", "\tif (a)\t{ µs }", std::string(300, 'y')};
  for (int columns : {8, 20, 47, 80, 200}) {
    CAPTURE(columns);
    const SourceSheet s = set_sheet(mixed, columns);
    CHECK(joined(s, mixed) == mixed);
    CHECK(widest(s, mixed, columns) <= columns);
  }
}

TEST_CASE(
    "a sheet: a line is broken between words, and inside one only where the word is wider than the row") {
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  const std::vector<std::string> code{
      "  reduce_kernel<<<(n + threads - 1) / threads, threads, threads * sizeof(float)>>>(in, partials, n);",
      "    if(tid<stride)s[tid]+=s[tid+stride];else if(tid==stride)partials[blockIdx.x]=s[0];", long_line};
  constexpr int longest_word = 13;
  for (int columns : {40, 47, 60, 80}) {
    CAPTURE(columns);
    int breaks = 0;
    for (auto& r : set_sheet(code, columns).rows) {
      auto& s = code[size_t(r.line)];
      if (r.from == 0) continue;
      ++breaks;
      INFO(s.substr(size_t(r.from)));
      CHECK_FALSE((in_word(s[size_t(r.from) - 1]) && in_word(s[size_t(r.from)])));
      CHECK(s[size_t(r.from)] != ' ');
    }
    CHECK(breaks >= 2);
  }
  // A row is never the blanks alone, and a word that is too wide is broken where the row ends.
  const std::string wide = std::string(8, ' ') + std::string(40, 'w');
  const auto rows = set_sheet({wide}, longest_word + 7).rows;
  CHECK(rows.front().to == longest_word + 7);
}

TEST_CASE("lecture: a source on a slide never scrolls sideways: its lines are broken behind a hook") {
  for (auto [w, h] : {std::pair{1280.f, 720.f}, {1024.f, 768.f}}) {
    Stage st(w, h, "contrast", 1.3f);
    std::ofstream(st.folder.path / "labs/01-demo/1-first.cu") << "int a;\n"
                                                              << long_line << "\n"
                                                              << std::string(60, '\n') << "int last;\n";
    std::ofstream(st.folder.path / "talk.toml")
        << "[[slide]]\ntitle = \"The source\"\nstep = \"demo/1\"\nshow = \"source\"\ntext = \"Beside "
           "it.\"\n[[slide]]\ntitle = \"Its end\"\nshow = \"source\"\nline = 63\n";
    REQUIRE(st.s->lectern.open((st.folder.path / "talk.toml").string()));
    st.frames(4);
    const CodeView& code = st.ui->slide_code();
    auto& lines = st.s->view()->text.lines();
    CHECK(code.sheet().rows.size() > lines.size());
    CHECK(joined(code.sheet(), lines) == lines);
    ImGuiWindow* win = view("slide code");
    REQUIRE(win);
    CHECK(win->ScrollMax.x == 0);
    // What stands below is said, and the arrows bring it up.
    const int below = code.rows_below();
    CHECK(below > 10);
    st.press(key::down);
    st.frames(2);
    CHECK(code.rows_below() == below - 3);
    for (int k = 0; k < 40; ++k) st.press(key::down);
    st.frames(2);
    CHECK(code.rows_below() == 0);
    // A slide that names a line opens there.
    st.press(key::right);
    st.frames(3);
    CHECK(st.s->lectern.talk.at == 1);
    CHECK(code.rows_below() == 0);
    win = view("slide code");
    REQUIRE(win);
    CHECK(win->Scroll.y > 0);
  }
}

TEST_CASE("lecture: the reference on a slide and the source of slow motion are wrapped too") {
  Stage st(1280, 720, "contrast", 1.3f);
  std::ofstream(st.folder.path / "reference/01-demo/1-first.cu") << long_line << long_line << "\n";
  st.s->reload_catalog();
  st.s->set_instructor(true);
  std::ofstream(st.folder.path / "talk.toml")
      << "[[slide]]\nstep = \"demo/1\"\nshow = \"reference\"\n[[slide]]\nshow = \"motion\"\n";
  REQUIRE(st.s->lectern.open((st.folder.path / "talk.toml").string()));
  st.frames(4);
  REQUIRE(view("reference"));
  CHECK(view("reference")->ScrollMax.x == 0);
  CHECK(st.ui->slide_code().sheet().rows.size() > 2);
  st.press(key::right);
  st.frames(20);
  REQUIRE(view("motion source"));
  CHECK(view("motion source")->ScrollMax.x == 0);
}

TEST_CASE(
    "the editor wraps long lines: clicks and arrows go by rows, what is typed lands where the caret stands; "
    "Alt+Z switches it off") {
  Stage st;
  std::ofstream(st.folder.path / "labs/01-demo/1-first.cu") << "int a;\n" << long_line << "\nint b;\n";
  st.s->open("demo/1");
  st.s->settings.right = 0.5f;
  st.s->ui.tab = UiState::Tab::source;
  st.frames(3);
  auto& text = st.s->view()->text;
  ImGuiWindow* win = view("code");
  REQUIRE(win);
  CHECK(win->ScrollMax.x == 0);
  // A click at the left of the third row is in the second line, where the row goes on.
  const float row = std::floor(fonts().mono->FontSize * 1.42f), top = win->Pos.y + 6;
  st.click(win->Pos.x + win->Size.x - 30, top + row * 2.5f);
  const int second = text.caret().column;
  CHECK(text.caret().line == 1);
  CHECK(second > 40);
  st.click(win->Pos.x + win->Size.x - 30, top + row * 1.5f);
  CHECK(text.caret().line == 1);
  CHECK(text.caret().column < second);
  const Caret first = text.caret();
  st.press(ImGui::GetKeyIndex(ImGuiKey_DownArrow));
  CHECK(text.caret().line == 1);
  CHECK(text.caret().column > first.column);
  st.press(ImGui::GetKeyIndex(ImGuiKey_UpArrow));
  CHECK(text.caret().line == 1);
  CHECK(std::abs(text.caret().column - first.column) <= 1);
  for (int k = 0; k < 9; ++k) st.press(ImGui::GetKeyIndex(ImGuiKey_DownArrow));
  CHECK(text.caret().line == text.line_count() - 1);
  st.s->commands.run("view.wrap");
  st.frames(3);
  win = view("code");
  REQUIRE(win);
  CHECK(win->ScrollMax.x > 100);
}

TEST_CASE("the line at the top of the source stays there when the window is resized and its parts move") {
  Stage st(1280, 720);
  std::string text;
  for (int k = 1; k <= 120; ++k)
    text += "int line_" + std::to_string(k) +
            " = 0;  // one of many, and long enough to go on in a second row of "
            "a narrow window, where the words of a remark have no room beside the code\n";
  std::ofstream(st.folder.path / "labs/01-demo/1-first.cu") << text;
  st.s->open("demo/1");
  st.s->ui.tab = UiState::Tab::source;
  st.frames(3);
  const CodeView& code = st.ui->window.code;
  const auto top = [&] {
    ImGuiWindow* w = view("code");
    REQUIRE(w);
    const float row = std::floor(fonts().mono->FontSize * 1.42f);
    return code.sheet().rows[size_t(std::max(0.0f, (w->Scroll.y - 6) / row))].line;
  };
  ImGui::SetScrollY(view("code"), 1200);
  st.frames(3);
  const int line = top();
  REQUIRE(line > 20);
  const size_t rows = code.sheet().rows.size();
  bool rewrapped = false;
  for (auto [w, h] : {std::pair{900.f, 600.f},
                      {1920.f, 1080.f},
                      {1100.f, 700.f},
                      {1499.f, 800.f},
                      {1500.f, 800.f},
                      {1280.f, 720.f}}) {
    CAPTURE(w);
    ImGui::GetIO().DisplaySize = {w, h};
    st.frames(4);
    rewrapped |= code.sheet().rows.size() != rows;
    CHECK(top() == line);
  }
  CHECK(rewrapped);
  // Step by step, as a frame is dragged.
  for (float w = 1280; w > 900; w -= 17) {
    ImGui::GetIO().DisplaySize = {w, 700};
    st.frame();
  }
  st.frames(3);
  CHECK(top() == line);
  // It is the reader's: a scroll since then counts.
  ImGui::SetScrollY(view("code"), 0);
  st.frames(3);
  ImGui::GetIO().DisplaySize = {1280, 720};
  st.frames(4);
  CHECK(top() == 0);
}

TEST_CASE("a figure: what stands at a line's end is broken below its own beginning, its picture is kept") {
  const std::vector<std::string> figure{"round 1   x.x.x.x.   16 lanes of each warp",
                                        "round 5   x.......    1 lane of each warp, and all warps issue", "",
                                        "  ─▶"};
  CHECK(set_figure(figure, 80).size() == 4);
  const auto rows = set_figure(figure, 46);
  REQUIRE(rows.size() == 5);
  CHECK(figure[1].substr(0, size_t(rows[1].to)) == "round 5   x.......    1 lane of each warp, and");
  CHECK(figure[1].substr(size_t(rows[2].from)) == "all warps issue");
  CHECK(rows[2].column == 22);
  for (auto& r : rows)
    CHECK(r.column + columns_of(figure[size_t(r.line)], r.to) - columns_of(figure[size_t(r.line)], r.from) <=
          46);
  // No room for words beside the picture, a picture that is too wide, a word that is too wide.
  CHECK(set_figure(figure, 28).empty());
  CHECK(set_figure({std::string(50, '-') + "  of blocks"}, 40).empty());
  CHECK(set_figure({"a  " + std::string(50, 'b')}, 40).empty());
}

TEST_CASE(
    "a figure: type shrinks a little, then lines' ends are broken, then type shrinks as far as it is read") {
  const std::vector<std::string> bar{std::string(100, '=')};
  CHECK(fit_figure(bar, 100).type == 1);
  CHECK(double(fit_figure(bar, 95).type) == tolerance::near(0.95));
  CHECK(double(fit_figure(bar, 81).type) == tolerance::near(0.81));
  CHECK(fit_figure(bar, 76).type < 0.77);
  CHECK(fit_figure(bar, 76).fits);
  CHECK(fit_figure(bar, 60).fits);
  CHECK_FALSE(fit_figure(bar, 59).fits);
  CHECK(longest_line(bar) == 100);
  const std::vector<std::string> words{"round 5   x.......    1 lane of each warp, and all warps issue"};
  CHECK(fit_figure(words, 52).rows.size() == 1);
  CHECK(fit_figure(words, 52).type >= legible_figure);
  CHECK(fit_figure(words, 46).rows.size() > 1);
  CHECK(fit_figure(words, 46).type >= legible_figure);
  CHECK(fit_figure({}, 10).rows.empty());
}

TEST_CASE("brief: figures don't scroll from 1280 to 1920 pixels; one that is wider than all shows whole") {
  for (float across : {1280.0f, 1440.0f, 1500.0f, 1600.0f, 1760.0f, 1920.0f}) {
    Stage st(across, 800);
    std::ofstream(st.folder.path / "labs/01-demo/1-first.md") << "# One\n\n```\n"
                                                              << std::string(84, '=') << "\n```\n";
    st.s->reload_catalog();
    st.s->open("demo/1");
    st.s->settings.brief_unfolded = true;
    st.frames(3);
    bool seen = false;
    for (ImGuiWindow* w : ImGui::GetCurrentContext()->Windows)
      if (w->Active && w->ParentWindow &&
          std::string(w->ParentWindow->Name).find("/brief_") != std::string::npos) {
        CHECK_MESSAGE(w->ScrollMax.x == 0, across);
        seen = true;
      }
    CHECK_MESSAGE(seen, across);
  }
  Stage st(1600, 900);
  const auto figure = [&](const std::string& text) -> ImGuiWindow* {
    std::ofstream(st.folder.path / "labs/01-demo/1-first.md") << "# One\n\n```\n" << text << "\n```\n";
    st.s->reload_catalog();
    st.s->open("demo/1");
    st.frames(3);
    for (ImGuiWindow* w : ImGui::GetCurrentContext()->Windows)
      if (w->Active && w->ParentWindow &&
          std::string(w->ParentWindow->Name).find("/brief_") != std::string::npos)
        return w;
    return nullptr;
  };
  for (const char* text : {"round 1   x.x.x.x.x.x.x.x.   16 lanes of each warp\n"
                           "round 5   x...............    1 lane of each warp, and all 8 warps issue",
                           "wait:  poll       by one thread, with a volatile load\n"
                           "post:  ?          the same parts, in the opposite direction"}) {
    ImGuiWindow* w = figure(text);
    REQUIRE(w);
    CHECK(w->ScrollMax.x == 0);
  }
  ImGuiWindow* w = figure(std::string(200, '='));
  REQUIRE(w);
  CHECK(w->ScrollMax.x > 100);
  const auto tooltip = [] {
    for (ImGuiWindow* t : ImGui::GetCurrentContext()->Windows)
      if (t->Active && (t->Flags & ImGuiWindowFlags_Tooltip)) return t->Size.x;
    return 0.0f;
  };
  CHECK(tooltip() == 0);
  ImGui::GetIO().MousePos = {w->Pos.x + 30, w->Pos.y + 15};
  st.frames(3);
  CHECK(tooltip() > fonts().mono->GetCharAdvance('M') * 200);
}
