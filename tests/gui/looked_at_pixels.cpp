// What was lost between pixels and letters: bars of less than a pixel, boxes over letters, characters without
// a glyph, and words of a run that is over.
#include <imgui_internal.h>

#include <cmath>
#include <set>

#include "core/files/whole_file.hpp"
#include "core/paths.hpp"
#include "gui/model/teaching/lecture.hpp"
#include "gui/model/text/highlight.hpp"
#include "gui/model/text/markdown.hpp"
#include "gui/panels/markdown_view.hpp"
#include "gui/panels/markdown_words.hpp"
#include "gui/panels/plots/alternate.hpp"
#include "gui/panels/plots/plots.hpp"
#include "gui/panels/widgets.hpp"
#include "stage.hpp"

#include <doctest/doctest.h>

using namespace dojo;
using namespace dojo::gui;
using test::Stage;

namespace {
void run_second(Stage& st) {
  st.s->open("demo/2");
  st.s->run(false);
  for (int k = 0; k < 200 && (st.s->running() || !st.s->view()->has_report); ++k) st.frame();
  REQUIRE(st.s->view()->has_report);
}

ImVec4 first_part(const Stage& st, const char* name) {
  for (auto& [n, r] : st.ui->window.layout)
    if (n == name) return r;
  return {};
}

/// Six frames of a long copy, a kernel that is much shorter than a pixel, and a long copy.
void give_short_kernels(RunReport& r) {
  using Kind = WorkSpan::Kind;
  r.end_to_end_us = 60000;
  r.timeline.clear();
  const auto add = [&](Kind kind, double from, double to) {
    WorkSpan s;
    s.kind = kind, s.label = "work", s.start_us = from, s.end_us = to, s.bytes = 4096;
    r.timeline.push_back(s);
  };
  for (int k = 0; k < 6; ++k) {
    const double at = 10000.0 * k + 137.0 * k;
    add(Kind::up, at, at + 4000);
    add(Kind::kernel, at + 4000, at + 4003);
    add(Kind::down, at + 4003, at + 8000);
  }
}

/// Whole pixels [left, right) of the upright rectangles of a colour inside an area; other edges as they are.
std::set<std::pair<float, float>> bars_of(ImU32 colour, ImVec4 area) {
  std::set<std::pair<float, float>> out;
  const ImDrawData* d = ImGui::GetDrawData();
  for (int k = 0; k < d->CmdListsCount; ++k) {
    auto& v = d->CmdLists[k]->VtxBuffer;
    for (int i = 0; i + 3 < v.Size; ++i)
      if (v[i].col == colour && v[i + 2].col == colour && v[i].pos.x == v[i + 3].pos.x &&
          v[i + 1].pos.x == v[i + 2].pos.x && v[i].pos.y == v[i + 1].pos.y && v[i].pos.x < v[i + 1].pos.x &&
          v[i].pos.y >= area.y && v[i + 2].pos.y <= area.w && v[i].pos.x >= area.x &&
          v[i].uv.y == v[i + 2].uv.y)
        out.insert({v[i].pos.x, v[i + 1].pos.x});
  }
  return out;
}
}  // namespace

TEST_CASE("streams: a kernel much shorter than a pixel has a pixel, and every bar begins and ends at one") {
  for (const float scale : {1.0f, 2.0f}) {
    CAPTURE(scale);
    Stage st(1280 * scale, 720 * scale, "dark", scale);
    run_second(st);
    for (auto& r : st.s->view()->report.runs) give_short_kernels(r);
    st.s->settings.plot = "streams";
    st.frames(3);
    const ImVec4 rows = first_part(st, "streams rows");
    REQUIRE(rows.w > rows.y);
    auto kernels = bars_of(theme().data[0], rows);
    kernels.merge(bars_of(alternate(theme().data[0]), rows));
    // A stream's row and no other has kernels: one bar each.
    CHECK(kernels.size() == 6);
    for (auto& [l, r] : kernels) {
      CHECK(l == std::floor(l));
      CHECK(r - l == 1);
    }
  }
}

TEST_CASE("streams: a reference without rows says what shows them, however narrow the plot") {
  Stage st;
  st.frame();
  const std::string whole = "Reference: 139 µs end to end";
  const auto wide = [](const std::string& s) { return text_size(fonts().small, s).x; };
  const std::string all = folded_streams_words(whole, "85.6 µs", 1000);
  CHECK(all == whole + ", 85.6 µs overlapped (F6 shows its rows)");
  for (float width = wide(all); width > wide(whole + " (F6: its rows)"); width -= 1) {
    const std::string words = folded_streams_words(whole, "85.6 µs", width);
    CHECK(wide(words) <= width);
    CHECK(words.find("F6") != std::string::npos);
  }
}

TEST_CASE("what kept an older run from being recorded is not said of the run that is shown") {
  Stage st;
  run_second(st);
  st.frames(30);
  st.s->recorder.error = "Line 24: expected a declaration";
  st.runner->student.status = Status::timeout;
  st.s->view()->text.type("// ");
  REQUIRE(st.s->save());
  st.s->run(false);
  for (int k = 0; k < 200 && st.s->running(); ++k) st.frame();
  CHECK(st.s->recorder.error.empty());
  st.s->recorder.error = "Line 24: expected a declaration";
  st.s->open("demo/1");
  CHECK(st.s->recorder.error.empty());
}

TEST_CASE("a box of code that goes on behind a space is drawn below the letters before it") {
  Stage st;
  st.frame();
  for (const char* words :
       {"`occupancy = smallest block limit * warps per block / 64 of all`", "At `343 ns`."}) {
    CAPTURE(words);
    ImGui::NewFrame();
    ImGui::SetNextWindowSize({400, 300});
    ImGui::Begin("words");
    ImDrawList* list = ImGui::GetWindowDrawList();
    const int first = list->VtxBuffer.Size;
    draw_markdown(parse_markdown(words), 200);
    int last_box = 0, first_letter = list->VtxBuffer.Size;
    for (int i = first; i < list->VtxBuffer.Size; ++i) {
      if (list->VtxBuffer[i].col == theme().raised) last_box = i;
      if (list->VtxBuffer[i].col == theme().code[int(Token::string)])
        first_letter = std::min(first_letter, i);
    }
    ImGui::End();
    ImGui::Render();
    REQUIRE(last_box > 0);
    CHECK(last_box < first_letter);
  }
}

namespace {
/// Characters of a text that a font does not have.
std::string without_glyph(ImFont* font, const std::string& text) {
  std::string out;
  for (const char *s = text.data(), *end = s + text.size(); s < end;) {
    unsigned c = 0;
    const int bytes = ImTextCharFromUtf8(&c, s, end);
    if (c >= 0x20 && !font->FindGlyphNoFallback(ImWchar(c))) out += std::string(s, size_t(bytes)) + " ";
    s += bytes;
  }
  return out;
}

std::string without_glyph(const MdText& text, ImFont* base) {
  std::string out;
  for (auto& w : words_of(text, base, 0)) out += without_glyph(w.font, w.s);
  return out;
}

std::string without_glyph(const std::vector<MdBlock>& page, ImFont* base, ImFont* code) {
  std::string out;
  for (auto& b : page) {
    out += without_glyph(b.text, base) + without_glyph(base, b.marker);
    for (auto& line : b.lines) out += without_glyph(code, line);
    for (auto& row : b.rows)
      for (auto& cell : row) out += without_glyph(cell, base);
  }
  return out;
}
}  // namespace

TEST_CASE("every character of the labs' texts and of the decks has a glyph in the font that it is set in") {
  Stage st;
  build_fonts(1, true);
  const Fonts& f = fonts();
  CHECK(without_glyph(f.ui, "Kᵀ 10⁻⁴") == "ᵀ ⁻ ");
  const Catalog all = load_catalog(source_root());
  REQUIRE(all.labs.size() > 20);
  for (auto& lab : all.labs) {
    CAPTURE(lab.name);
    CHECK(without_glyph(parse_markdown(lab.brief), f.ui, f.mono) == "");
    // Titles, questions, answers, hints, published figures: all in the words' font.
    CHECK(without_glyph(f.ui, read_file(lab.folder / "lab.toml").value()) == "");
    for (auto& step : lab.steps) {
      CAPTURE(step.file);
      // Questions and explanations are set as they are, not as Markdown.
      CHECK((step.prediction.question + step.prediction.explain).find('`') == std::string::npos);
      CHECK(without_glyph(parse_markdown(step.brief), f.ui, f.mono) == "");
    }
  }
  int decks = 0;
  for (auto& e : fs::directory_iterator(source_root() / "assets/lectures")) {
    if (e.path().extension() != ".toml") continue;
    const std::string deck = e.path().filename().string();
    CAPTURE(deck);
    for (auto& slide : load_deck(e.path(), &all).slides) {
      CHECK(without_glyph(f.slide_title, slide.title) == "");
      CHECK(without_glyph(parse_markdown(slide.text), f.slide, f.slide_mono) == "");
      CHECK(without_glyph(f.slide, slide.question) == "");
      CHECK(without_glyph(f.notes, slide.notes) == "");
    }
    ++decks;
  }
  CHECK(decks > 20);
}
