// Files, editing, running and learning.
#include "core/install/search_path.hpp"
#include "gui/model/commands/commands.hpp"
#include "gui/model/text/editor.hpp"

namespace dojo::gui {

namespace {

void add_open_file_commands(Session& s) {
  auto add = command_adder(s);
  auto has_step = while_step_open(s);

  add({.id = "file.save",
       .menu = "File",
       .title = "Save",
       .help = "Writes the text to the step's file.",
       .keys = {{'S', true}},
       .act =
           [&s] {
             bool changed = s.view()->text.modified();
             if (s.save() && changed && s.settings.watch && !s.ui.lecture) s.run_saved();
           },
       .enabled = has_step,
       .needs = "an open step"});
  add({.id = "file.open",
       .menu = "File",
       .title = "Open a program or a report…",
       .help = "Runs any .cu file of yours, main included; or shows a report that --json saved.",
       .keys = {{'O', true}},
       .act = [&s] { s.ui.open(Overlay::open_file); }});
  add({.id = "file.close",
       .menu = "File",
       .title = "Close this view",
       .help = "Back from a lab's page, the glossary, large plots, slow motion or submissions.",
       .keys = {{'W', true}},
       .act =
           [&s] {
             s.ui.lab_page.clear();
             s.ui.close(Overlay::glossary);
             s.ui.plots_only = s.ui.motion = s.ui.submissions = false;
           },
       .enabled =
           [&s] {
             return !s.ui.lab_page.empty() || s.ui.shows(Overlay::glossary) || s.ui.plots_only ||
                    s.ui.motion || s.ui.submissions;
           },
       .needs = "an open page"});
  add({.id = "file.card",
       .menu = "File",
       .title = "Save a result card",
       .help = "Writes the result as a picture and as a page (HTML), to show or hand in.",
       .act = [&s] { s.save_card(); },
       .enabled = [&s] { return s.view() && s.view()->has_report && !s.ui.lecture; },
       .needs = "a run outside lecture mode"});
}

void add_editor_commands(Session& s) {
  auto add = command_adder(s);
  auto has_step = while_step_open(s);

  add({.id = "file.editor",
       .menu = "File",
       .title = "Open in my editor",
       .help = "Opens the step's file in $VISUAL or the first editor found; saving there runs it here.",
       .keys = {{'E', true}},
       .act = [&s] { s.open_in_editor(); },
       .enabled = has_step,
       .needs = "an open step"});
  const std::string code = !find_program("code").empty()     ? "code"
                           : !find_program("codium").empty() ? "codium"
                                                             : "";
  if (!code.empty())
    add({.id = "file.vscode",
         .menu = "File",
         .title = "Open in VS Code",
         .help = "Opens the step's file there, now and with Ctrl+E from now on.",
         .act =
             [&s, code] {
               s.settings.editor = code;
               s.settings_changed();
               s.open_in_editor();
             },
         .enabled = has_step,
         .needs = "an open step"});
}

/// The file as it was, the labs as they are on disk, and the end.
void add_whole_file_commands(Session& s) {
  auto add = command_adder(s);
  auto has_step = while_step_open(s);

  add({.id = "file.reset",
       .menu = "File",
       .title = "Reset the file…",
       .help = "Puts the step's file back as it was; yours is kept.",
       .act = [&s] { s.ui.open(Overlay::confirm_reset); },
       .enabled = has_step,
       .needs = "an open step",
       .separator = true});
  add({.id = "file.take",
       .menu = "File",
       .title = "Compare with the version on disk…",
       .help = "Shows both versions when another program changed the file; the other one stays under Runs.",
       .act = [&s] { s.compare_with_disk(); },
       .enabled = [&s] { return s.view() && s.view()->disk_newer; },
       .needs = "a file that another program changed"});
  add({.id = "file.reload",
       .menu = "File",
       .title = "Reload the labs",
       .help = "Reads every lab.toml again.",
       .act = [&s] { s.reload_catalog(); }});
  add({.id = "file.quit",
       .menu = "File",
       .title = "Quit",
       .help = "Ends the app; everything is kept.",
       .keys = {{'Q', true}},
       .act = [&s] { s.ui.quit = true; },
       .separator = true});
}

void add_edit_commands(Session& s) {
  auto add = command_adder(s);
  auto has_step = while_step_open(s);
  using Tab = UiState::Tab;
  auto tab = [&s](Tab which) { return tab_command(s, which); };

  add({.id = "edit.undo",
       .menu = "Edit",
       .title = "Undo",
       .help = "Takes the last edit back.",
       .keys = {{'Z', true}},
       .act = [&s] { s.view()->text.undo(), s.edit_done(); },
       .enabled = [&s] { return s.view() && s.view()->text.can_undo(); },
       .needs = "an edit"});
  add({.id = "edit.redo",
       .menu = "Edit",
       .title = "Redo",
       .help = "Makes an undone edit again.",
       .keys = {{'Y', true}, {'Z', true, true}},
       .act = [&s] { s.view()->text.redo(), s.edit_done(); },
       .enabled = [&s] { return s.view() && s.view()->text.can_redo(); },
       .needs = "an edit that was undone"});
  add({.id = "edit.comment",
       .menu = "Edit",
       .title = "Comment lines",
       .help = "Adds or removes // on the selected lines.",
       .keys = {{key::slash, true}},
       .act = [&s] { s.view()->text.toggle_comment(), s.edit_done(); },
       .enabled = has_step,
       .needs = "an open step",
       .separator = true});
  add({.id = "edit.find",
       .menu = "Edit",
       .title = "Find…",
       .help = "Searches in the source.",
       .keys = {{'F', true}},
       .act =
           [&s, tab] {
             tab(Tab::source)();
             s.ui.focus = "find";
           },
       .enabled = has_step,
       .needs = "an open step"});
}

void add_run_commands(Session& s) {
  auto add = command_adder(s);

  add({.id = "run.run",
       .menu = "Run",
       .title = "Run this step",
       .help = "Saves, compiles and runs your kernel and the reference.",
       .keys = {{key::f5}, {key::enter, true}},
       .act = [&s] { s.run(); },
       // A recording that a plot asked for gives way; a file that is gone is put back during a run too.
       .enabled =
           [&s] {
             const bool gone = s.view() && !s.view()->file_problem.empty();
             return s.step() && (!s.running() || (s.recorder.recording() && !s.ui.motion) || gone);
           },
       .needs = "an open step"});
  add({.id = "run.anyway",
       .title = "Run without predicting",
       .help = "Runs at once and closes the question with its answer.",
       .act = [&s] { s.awaiting_prediction() ? s.skip_prediction() : void(s.run(false)); },
       .enabled = [&s] { return s.step() && !s.running(); },
       .needs = "an open step"});
  add({.id = "run.cancel",
       .menu = "Run",
       .title = "Cancel the run",
       .help = "Ends the run that is going on.",
       .keys = {{key::escape}},
       .act = [&s] { s.cancel(); },
       .enabled = [&s] { return s.running(); },
       .needs = "a run under way",
       .in_text = true});
  add({.id = "run.watch",
       .menu = "Run",
       .title = "Run on every save",
       .help = "Watches the file, whatever editor writes it, and runs it when it changes.",
       .act =
           [&s] {
             s.settings.watch = !s.settings.watch;
             s.settings_changed();
           },
       .checked = [&s] { return s.settings.watch; }});
  add({.id = "run.sweep",
       .menu = "Run",
       .title = "Sweep over sizes",
       .help = "Runs the sizes of the lab's curve (or eleven, each half of the next) and draws it.",
       .act =
           [&s] {
             s.settings.plot = "sweep";
             s.start_sweep();
           },
       .enabled = [&s] { return s.step() && !s.running(); },
       .needs = "an open step",
       .separator = true});

  add({.id = "run.tiers",
       .menu = "Run",
       .title = "Sweep all tiers of the lab",
       .help = "Your kernel's curve with the references of the lab's other steps on the same axes.",
       .act =
           [&s] {
             s.settings.plot = "sweep";
             s.start_sweep(true);
           },
       .enabled = [&s] { return s.step() && !s.running() && !s.step()->curve.empty(); },
       .needs = "a step with a curve"});
}

void add_learn_commands(Session& s) {
  auto add = command_adder(s);
  auto has_step = while_step_open(s);

  add({.id = "learn.hint",
       .menu = "Learn",
       .title = "Show the next hint",
       .help = "From a nudge to near-answer.",
       .keys = {{'H', true}},
       .act = [&s] { s.show_hint(); },
       .enabled = has_step,
       .needs = "an open step"});
  add({.id = "learn.next",
       .menu = "Learn",
       .title = "Next step",
       .help = "Opens the step after this one.",
       .keys = {{key::page_down, true}},
       .act =
           [&s] {
             if (auto* n = s.next_step()) s.open(n->id());
           },
       .enabled = [&s] { return s.next_step() != nullptr; },
       .needs = "a step after this one",
       .separator = true});
  add({.id = "learn.previous",
       .menu = "Learn",
       .title = "Previous step",
       .help = "Opens the step before this one.",
       .keys = {{key::page_up, true}},
       .act =
           [&s] {
             if (auto* n = s.previous_step()) s.open(n->id());
           },
       .enabled = [&s] { return s.previous_step() != nullptr; },
       .needs = "a step before this one"});
}

}  // namespace

void add_work_commands(Session& s) {
  add_open_file_commands(s);
  add_editor_commands(s);
  add_whole_file_commands(s);
  add_edit_commands(s);
  add_run_commands(s);
  add_learn_commands(s);
}

}  // namespace dojo::gui
