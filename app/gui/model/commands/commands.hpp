#pragma once
// The window's commands, by what they are about. Each adds its own to Session::commands, in the order in
// which menus and the palette list them.
#include "gui/model/session/session.hpp"

namespace dojo::gui {

void add_work_commands(Session&);    ///< files, editing, running, learning
void add_view_commands(Session&);    ///< views, plots, sizes, themes
void add_motion_commands(Session&);  ///< slow motion
void add_teach_commands(Session&);   ///< instructors and lectures
void add_help_commands(Session&);

/// Appends to the session's table.
inline auto command_adder(Session& s) {
  return [&s](Command c) { s.commands.add(std::move(c)); };
}

/// When a command is enabled: while a step is open.
inline auto while_step_open(Session& s) {
  return [&s] { return s.step() != nullptr; };
}

/// Opens a tab of the workspace.
inline auto tab_command(Session& s, UiState::Tab which) {
  return [&s, which] {
    s.ui.tab = which;
    s.ui.lab_page.clear();
    s.ui.focus_tab = true;
    if (which == UiState::Tab::source) s.ui.focus = "source";
  };
}

}  // namespace dojo::gui
