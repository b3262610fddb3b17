#pragma once
// Lines of Markdown text: spans to words, words to lines.
#include <imgui.h>

#include <cfloat>
#include <string>
#include <vector>

#include "gui/model/text/markdown.hpp"

namespace dojo {
struct Term;
}

namespace dojo::gui {

/// A piece of a line: a word, a part of one that is set differently, or a space.
struct Word {
  std::string s;
  ImFont* font;
  ImU32 colour;
  bool space = false, box = false;  // code and live numbers stand in a box
  const std::string* target = nullptr;
  float width = 0;
  const Term* term = nullptr;  // of the glossary
  bool slanted = false;
  float before = 0;  // of a box: its ground left of the letters
};

/// Begins a page: each term of the glossary is marked where it occurs first.
void begin_page();
/// `room`: pixels of the column; code that is longer is broken.
std::vector<Word> words_of(const MdText&, ImFont* base, ImU32 colour, float room = FLT_MAX);
/// Breaks words into lines and draws them at `p`; returns the height. With `draw` null it only measures.
float flow(ImDrawList* draw, ImVec2 p, const std::vector<Word>&, float width, ImFont* base,
           std::string* clicked);
/// Distance of the lines of the page that is drawn, in heights of its type. Sets it and returns the one
/// before.
float set_leading(float);
float leading();
float line_height(ImFont* base);

}  // namespace dojo::gui
