#pragma once
// The glossary in the window: a dotted line under a term, its meaning under the mouse, and a page of all.
#include <imgui.h>

#include <string>

#include "core/labs/glossary.hpp"
#include "gui/model/session/ui_state.hpp"

namespace dojo::gui {

/// Sets the glossary whose terms are marked in texts; null: none. It must outlive the frames drawn with it.
void set_glossary(const Glossary*);
const Glossary* glossary();

/// Draws the dotted line below a term, and its meaning while the mouse is on it.
void mark_term(ImDrawList*, const Term&, ImVec2 from, ImVec2 to);
/// Marks the terms in a line of text that was drawn at `at`, up to `width` pixels.
void mark_terms(ImDrawList*, ImFont*, ImVec2 at, const std::string& text, float width);

/// All terms, with a filter, as a card over the window.
struct GlossaryPage {
  void draw(UiState&, bool fresh);

 private:
  char filter_[64] = {};
};

}  // namespace dojo::gui
