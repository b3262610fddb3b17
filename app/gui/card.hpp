#pragma once
// A card in the middle of the dimmed window: what asks for a decision, or is read and closed.
#include <imgui.h>

#include "gui/model/session/ui_state.hpp"

namespace dojo::gui {

/// Begins a card of `size` pixels (a height of 0 fits what is inside) whose top, or middle from 0.3 on,
/// stands at a share of the window's height. A click outside closes `card`. End it with ImGui::End().
void card_begin(const char* id, UiState& ui, Overlay card, ImVec2 size, float top_share);

}  // namespace dojo::gui
