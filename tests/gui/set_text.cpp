// Text as it is set: italics, code that is broken, numbers with their units, headings.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "core/paths.hpp"
#include "gui/model/text/highlight.hpp"
#include "gui/model/text/markdown.hpp"
#include "gui/panels/markdown_view.hpp"
#include "gui/panels/widgets.hpp"
#include "stage.hpp"

#include <doctest/doctest.h>

using namespace dojo;
using namespace dojo::gui;
using test::Stage;

TEST_CASE("italics lean and have the text's colour: only links have the links'") {
  Stage st;
  st.frame();
  // The letters' left edges, above and below.
  const auto lean = [&](const char* words) {
    ImGui::NewFrame();
    ImGui::SetNextWindowSize({400, 200});
    ImGui::Begin("words");
    ImDrawList* list = ImGui::GetWindowDrawList();
    const int first = list->VtxBuffer.Size;
    draw_markdown(parse_markdown(words));
    float most = 0;
    int letters = 0;
    for (int i = first; i + 3 < list->VtxBuffer.Size; i += 4)
      if (list->VtxBuffer[i].col == theme().text && list->VtxBuffer[i].uv.y < list->VtxBuffer[i + 3].uv.y)
        ++letters, most = std::max(most, list->VtxBuffer[i].pos.x - list->VtxBuffer[i + 3].pos.x);
    ImGui::End();
    ImGui::Render();
    CHECK(letters >= 4);
    return most;
  };
  CHECK(lean("*lean*") > 1);
  CHECK(lean("lean") == 0);
}

TEST_CASE("code that is too long for its line has the spaces of a text, not a box for each word") {
  Stage st;
  st.frame();
  // How far the letters of a line reach, in a column that breaks the code behind "c".
  const auto reach = [&](const char* words, ImFont* font, const char* line) {
    ImGui::NewFrame();
    ImGui::SetNextWindowSize({400, 200});
    ImGui::Begin("words");
    ImDrawList* list = ImGui::GetWindowDrawList();
    const int first = list->VtxBuffer.Size;
    draw_markdown(parse_markdown(words), text_size(font, line).x + px(10));
    float top = 1e9f, left = 1e9f, right = 0;
    for (int i = first; i < list->VtxBuffer.Size; ++i)
      if (list->VtxBuffer[i].col == theme().code[int(Token::string)])
        top = std::min(top, list->VtxBuffer[i].pos.y);
    for (int i = first; i < list->VtxBuffer.Size; ++i)
      if (const auto& v = list->VtxBuffer[i];
          v.col == theme().code[int(Token::string)] && v.pos.y < top + font->FontSize)
        left = std::min(left, v.pos.x), right = std::max(right, v.pos.x);
    ImGui::End();
    ImGui::Render();
    return right - left;
  };
  ImFont* mono = fonts().mono;
  const float broken = reach("`aaaa + bbbb + cccc + dddd + eeee`", mono, "aaaa + bbbb + cccc");
  CHECK(std::fabs(broken - text_size(mono, "aaaa + bbbb + cccc").x) < mono->GetCharAdvance('M'));
}

TEST_CASE("no line of a page ends between a number and its unit") {
  Stage st;
  st.frame();
  const char* words = "It takes 38.88 µs.";
  const float room = text_size(fonts().ui, "It takes 38.88").x + 2;
  ImGui::NewFrame();
  ImGui::SetNextWindowSize({400, 200});
  ImGui::Begin("words");
  ImDrawList* list = ImGui::GetWindowDrawList();
  const int first = list->VtxBuffer.Size;
  draw_markdown(parse_markdown(words), room);
  float top = 1e9f;
  int above = 0, below = 0;
  for (int i = first; i < list->VtxBuffer.Size; ++i) top = std::min(top, list->VtxBuffer[i].pos.y);
  for (int i = first; i < list->VtxBuffer.Size; ++i)
    ++(list->VtxBuffer[i].pos.y < top + fonts().ui->FontSize ? above : below);
  ImGui::End();
  ImGui::Render();
  CHECK(above == 4 * 7);  // "It takes": four corners a letter
  CHECK(below == 4 * 8);  // "38.88 µs."
}

TEST_CASE("a step's brief is headed as the list of steps calls it") {
  const Catalog all = load_catalog(source_root());
  REQUIRE(all.labs.size() > 20);
  for (auto& lab : all.labs)
    for (auto& step : lab.steps) {
      const auto blocks = parse_markdown(step.brief);
      if (blocks.empty() || blocks.front().kind != MdBlock::heading) continue;
      std::string heading;
      for (auto& span : blocks.front().text) heading += span.s;
      for (size_t at; (at = heading.find("×")) != std::string::npos;)
        heading.replace(at, std::string("×").size(), "x");
      const std::string id = step.id();
      CAPTURE(id);
      CHECK(heading.ends_with(step.title));
    }
}
