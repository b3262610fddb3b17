#include "gui/model/commands/commands.hpp"
#include "gui/model/text/editor.hpp"

namespace dojo::gui {

std::string Session::editor_command() const {
  return settings.editor.empty() ? find_editor() : settings.editor;
}

bool Session::open_in_editor() {
  auto* v = view();
  if (!v) return false;
  if (v->text.modified() && !save()) return false;
  std::string editor = editor_command();
  if (editor.empty()) {
    toast("No editor was found: set $VISUAL to one that opens a window.", Tone::warn);
    return false;
  }
  std::string problem =
      start_detached(editor_arguments(editor, catalog_.student_file(*step_), v->text.caret().line + 1));
  if (!problem.empty())
    toast("The editor can't be started: " + problem, Tone::bad);
  else
    toast("Opened in " + editor + (settings.watch ? "; every save runs it here." : "."));
  return problem.empty();
}

void add_commands(Session& s) {
  add_work_commands(s);
  add_view_commands(s);
  add_motion_commands(s);
  add_teach_commands(s);
  add_help_commands(s);
}

}  // namespace dojo::gui
