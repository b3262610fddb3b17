#pragma once
// The glossary in the window: a dotted line under a term, its meaning under the mouse, and a page of all.
#include <imgui.h>

#include <string>

#include "core/glossary.hpp"

namespace dojo::gui {

/// The glossary that texts are marked with; null: none. It has to outlive the frames that are drawn with it.
void set_glossary(const Glossary*);
const Glossary* glossary();

/// Draws the dotted line of a term below a piece of text, and its meaning when the mouse is on it.
void mark_term(ImDrawList*, const Term&, ImVec2 from, ImVec2 to);
/// Marks the terms of a line of text that was drawn at a place, as far as `width` reaches.
void mark_terms(ImDrawList*, ImFont*, ImVec2 at, const std::string& text, float width);

/// All terms, with a filter, as a card over the window.
struct GlossaryPage {
  void draw(bool* open);

 private:
  char filter_[64] = {};
  bool was_open_ = false;
};

}  // namespace dojo::gui
