#include <algorithm>

#include "gui/model/editor.hpp"
#include "gui/model/plots.hpp"
#include "gui/model/session.hpp"
#include "gui/system_theme.hpp"

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

namespace {
void tab_to_lab(Session& s) {
  s.ui.tab = UiState::Tab::instructor;
  s.ui.focus = "lab";
  s.run_lab(*s.lab(), s.lab_choice);
}
}  // namespace

void add_commands(Session& s) {
  auto& t = s.commands;
  auto has_step = [&s] { return s.step() != nullptr; };
  auto add = [&](Command c) { t.add(std::move(c)); };
  using Tab = UiState::Tab;
  auto tab = [&s](Tab which) {
    return [&s, which] {
      s.ui.tab = which;
      s.ui.lab_page.clear();
      s.ui.focus_tab = true;
      if (which == Tab::source) s.ui.focus = "source";
    };
  };
  auto scale_by = [&s](float f) {
    return [&s, f] {
      s.settings.scale = f == 0 ? 1.0f : std::clamp(s.settings.scale * f, 0.5f, 3.0f);
      s.settings_changed();
    };
  };
  auto theme = [&s](const char* name) {
    return [&s, name] {
      s.settings.theme = name;
      if (s.settings.theme == "system") s.settings.system_look = system_theme();
      s.settings.theme_once.clear();
      s.settings_changed();
    };
  };
  auto theme_is = [&s](const char* name) { return [&s, name] { return s.settings.look() == name; }; };

  add({.id = "file.save",
       .menu = "File",
       .title = "Save",
       .help = "Writes the text to the step's file.",
       .keys = {{'S', true}},
       .act =
           [&s] {
             bool changed = s.view()->text.modified();
             if (s.save() && changed && s.settings.watch && !s.ui.lecture) s.run(false);
           },
       .enabled = has_step});
  add({.id = "file.open",
       .menu = "File",
       .title = "Open a program or a report…",
       .help = "Runs any .cu file of yours, main included; or shows a report that --json saved.",
       .keys = {{'O', true}},
       .act = [&s] { s.ui.open_file = true; }});
  add({.id = "file.close",
       .menu = "File",
       .title = "Close this view",
       .help = "Back from a lab's page, the glossary, large plots, slow motion or submissions.",
       .keys = {{'W', true}},
       .act =
           [&s] {
             s.ui.lab_page.clear();
             s.ui.glossary = s.ui.plots_only = s.ui.motion = s.ui.submissions = false;
           },
       .enabled =
           [&s] {
             return !s.ui.lab_page.empty() || s.ui.glossary || s.ui.plots_only || s.ui.motion ||
                    s.ui.submissions;
           }});
  add({.id = "file.card",
       .menu = "File",
       .title = "Save a result card",
       .help = "Writes the result as a picture and as a page (HTML), to show or hand in.",
       .act = [&s] { s.save_card(); },
       .enabled = [&s] { return s.view() && s.view()->has_report && !s.ui.lecture; }});
  add({.id = "file.editor",
       .menu = "File",
       .title = "Open in my editor",
       .help = "Opens the step's file in $VISUAL or the first editor found; saving there runs it here.",
       .keys = {{'E', true}},
       .act = [&s] { s.open_in_editor(); },
       .enabled = has_step});
  const std::string code = program_in_path("code") ? "code" : program_in_path("codium") ? "codium" : "";
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
         .enabled = has_step});
  add({.id = "file.reset",
       .menu = "File",
       .title = "Reset the file…",
       .help = "Puts the step's file back as it was; yours is kept.",
       .act = [&s] { s.ui.confirm_reset = true; },
       .enabled = has_step,
       .separator = true});
  add({.id = "file.take",
       .menu = "File",
       .title = "Compare with the version on disk…",
       .help = "Shows both versions when another program changed the file; the other one stays under Runs.",
       .act = [&s] { s.compare_with_disk(); },
       .enabled = [&s] { return s.view() && s.view()->disk_newer; }});
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

  add({.id = "edit.undo",
       .menu = "Edit",
       .title = "Undo",
       .help = "Takes the last edit back.",
       .keys = {{'Z', true}},
       .act = [&s] { s.view()->text.undo(), s.edit_done(); },
       .enabled = [&s] { return s.view() && s.view()->text.can_undo(); }});
  add({.id = "edit.redo",
       .menu = "Edit",
       .title = "Redo",
       .help = "Makes an undone edit again.",
       .keys = {{'Y', true}, {'Z', true, true}},
       .act = [&s] { s.view()->text.redo(), s.edit_done(); },
       .enabled = [&s] { return s.view() && s.view()->text.can_redo(); }});
  add({.id = "edit.comment",
       .menu = "Edit",
       .title = "Comment lines",
       .help = "Adds or removes // on the selected lines.",
       .keys = {{key::slash, true}},
       .act = [&s] { s.view()->text.toggle_comment(), s.edit_done(); },
       .enabled = has_step,
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
       .enabled = has_step});

  add({.id = "run.run",
       .menu = "Run",
       .title = "Run this step",
       .help = "Saves, compiles and runs your kernel and the reference.",
       .keys = {{key::f5}, {key::enter, true}},
       .act = [&s] { s.run(); },
       // A recording that a plot asked for gives way.
       .enabled = [&s] { return s.step() && (!s.running() || (s.recording() && !s.ui.motion)); }});
  add({.id = "run.anyway",
       .title = "Run without predicting",
       .help = "Runs at once, with the prediction still open.",
       .act = [&s] { s.run(false); },
       .enabled = [&s] { return s.step() && !s.running(); }});
  add({.id = "run.cancel",
       .menu = "Run",
       .title = "Cancel the run",
       .help = "Ends the run that is going on.",
       .keys = {{key::escape}},
       .act = [&s] { s.cancel(); },
       .enabled = [&s] { return s.running(); },
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
       .enabled = [&s] { return s.step() && !s.running() && !s.step()->curve.empty(); }});

  add({.id = "learn.hint",
       .menu = "Learn",
       .title = "Show the next hint",
       .help = "From a nudge to near-answer.",
       .keys = {{'H', true}},
       .act = [&s] { s.show_hint(); },
       .enabled = has_step});
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
       .enabled = [&s] { return s.previous_step() != nullptr; }});
  add({.id = "view.lab",
       .menu = "View",
       .title = "The lab's page",
       .help = "Its brief, its steps with their states, and the lab's curve.",
       .keys = {{'L', false, false, true}},
       .act =
           [&s] {
             s.ui.lab_page = s.ui.lab_page.empty() ? s.lab()->name : "";
             s.ui.plots_only = s.ui.motion = s.ui.submissions = false;
           },
       .enabled = has_step,
       .checked = [&s] { return !s.ui.lab_page.empty(); }});
  add({.id = "view.brief",
       .menu = "View",
       .title = "Brief",
       .help = "What the step is about.",
       .keys = {{'1', false, false, true}},
       .act = tab(Tab::brief),
       .checked = [&s] { return s.ui.tab == Tab::brief; }});
  add({.id = "view.source",
       .menu = "View",
       .title = "Source",
       .help = "Your kernel, with counters beside each line.",
       .keys = {{'2', false, false, true}},
       .act = tab(Tab::source),
       .checked = [&s] { return s.ui.tab == Tab::source; }});
  add({.id = "view.reference",
       .menu = "View",
       .title = "Reference",
       .help = "The solved twin, once you have passed.",
       .keys = {{'3', false, false, true}},
       .act = tab(Tab::reference),
       .enabled = [&s] { return s.solved_or_instructor(); },
       .checked = [&s] { return s.ui.tab == Tab::reference; }});
  add({.id = "view.compare",
       .menu = "View",
       .title = "Runs",
       .help = "Earlier runs of this step, compared.",
       .keys = {{'4', false, false, true}},
       .act = tab(Tab::compare),
       .checked = [&s] { return s.ui.tab == Tab::compare; }});
  add({.id = "view.code",
       .menu = "View",
       .title = "PTX and machine code",
       .help = "What the compiler made of each line, beside the source.",
       .keys = {{'6', false, false, true}},
       .act =
           [&s, tab] {
             const bool there = s.ui.tab == Tab::source || s.ui.tab == Tab::reference;
             s.settings.code_shown = !(s.settings.code_shown && there);
             s.settings_changed();
             if (!there) tab(Tab::source)();
           },
       .enabled = has_step,
       .checked = [&s] { return s.settings.code_shown; }});
  add({.id = "view.sass",
       .menu = "View",
       .title = "Machine code instead of PTX",
       .help = "In the pane beside the source: SASS, or PTX.",
       .act =
           [&s] {
             s.settings.code_sass = !s.settings.code_sass;
             s.settings.code_shown = true;
             s.settings_changed();
           },
       .enabled = has_step,
       .checked = [&s] { return s.settings.code_sass; }});
  add({.id = "view.wrap",
       .menu = "View",
       .title = "Wrap long lines",
       .help = "Lines of a source that are too long go on in the next row.",
       .keys = {{'Z', false, false, true}},
       .act =
           [&s] {
             s.settings.wrap = !s.settings.wrap;
             s.settings_changed();
           },
       .checked = [&s] { return s.settings.wrap; }});
  add({.id = "view.rail",
       .menu = "View",
       .title = "Show the labs",
       .help = "Shows or hides the list of labs.",
       .keys = {{'B', true}},
       .act =
           [&s] {
             s.settings.rail_shown = !s.settings.rail_shown;
             s.settings_changed();
           },
       .checked = [&s] { return s.settings.rail_shown; },
       .separator = true});
  add({.id = "view.plots",
       .menu = "View",
       .title = "Only the plots",
       .help = "Gives the plots the whole window.",
       .keys = {{key::f6}},
       .act = [&s] { s.ui.plots_only = !s.ui.plots_only; },
       .checked = [&s] { return s.ui.plots_only; }});
  auto moving = [&s] { return s.ui.motion && !s.ui.lecture && s.motion.trace() != nullptr; };
  add({.id = "motion.show",
       .menu = "Motion",
       .title = "Slow motion",
       .help = "One block, instruction by instruction, forwards and back.",
       .keys = {{key::f8}},
       .act =
           [&s] {
             if (s.ui.motion)
               s.ui.motion = false;
             else
               s.open_motion();
           },
       .enabled = has_step,
       .checked = [&s] { return s.ui.motion; }});
  add({.id = "motion.record",
       .menu = "Motion",
       .title = "Record the block again",
       .help = "Runs the block once more, after an edit.",
       .keys = {{'R', true}},
       .act = [&s] { s.record_motion(); },
       .enabled = [&s] { return s.ui.motion && !s.running(); }});
  add({.id = "motion.forward",
       .menu = "Motion",
       .title = "Step forward",
       .help = "Goes on by one line or instruction of a warp.",
       .keys = {{key::right}, {key::period}},
       .act =
           [&s] {
             s.motion.playing = false;
             s.motion.forward();
           },
       .enabled = moving,
       .separator = true});
  add({.id = "motion.back",
       .menu = "Motion",
       .title = "Step back",
       .help = "Goes back by one line or instruction.",
       .keys = {{key::left}, {key::comma}},
       .act =
           [&s] {
             s.motion.playing = false;
             s.motion.back();
           },
       .enabled = moving});
  add({.id = "motion.play",
       .menu = "Motion",
       .title = "Play or pause",
       .help = "Plays at the chosen speed up to the next breakpoint.",
       .keys = {{key::space}},
       .act = [&s] { s.motion.playing = !s.motion.playing; },
       .enabled = moving,
       .checked = [&s] { return s.motion.playing; }});
  add({.id = "motion.next_stop",
       .menu = "Motion",
       .title = "On to the next breakpoint",
       .help = "Goes on to a marked line, finding, conflict …",
       .keys = {{key::right, false, true}},
       .act =
           [&s] {
             s.motion.playing = false;
             s.motion.run_on(true);
           },
       .enabled = moving});
  add({.id = "motion.last_stop",
       .menu = "Motion",
       .title = "Back to the breakpoint before",
       .help = "Goes back to the one before.",
       .keys = {{key::left, false, true}},
       .act =
           [&s] {
             s.motion.playing = false;
             s.motion.run_on(false);
           },
       .enabled = moving});
  add({.id = "motion.first",
       .menu = "Motion",
       .title = "To the start",
       .help = "Before anything happened.",
       .keys = {{key::home}},
       .act =
           [&s] {
             s.motion.playing = false;
             s.motion.seek(0);
           },
       .enabled = moving});
  add({.id = "motion.last",
       .menu = "Motion",
       .title = "To the end",
       .help = "Where the block, or its record, ends.",
       .keys = {{key::end}},
       .act =
           [&s] {
             s.motion.playing = false;
             s.motion.seek(s.motion.count());
           },
       .enabled = moving});
  add({.id = "motion.grain",
       .menu = "Motion",
       .title = "By lines or by instructions",
       .help = "What a step is.",
       .keys = {{'I'}},
       .act =
           [&s] {
             s.motion.set_grain(s.motion.grain() == SlowMotion::Grain::line ? SlowMotion::Grain::instruction
                                                                            : SlowMotion::Grain::line);
           },
       .enabled = moving,
       .checked = [&s] { return s.motion.grain() == SlowMotion::Grain::instruction; },
       .separator = true});
  const std::pair<SlowMotion::Stop, std::pair<const char*, const char*>> stops[] = {
      {SlowMotion::Stop::finding, {"finding", "Stop at findings"}},
      {SlowMotion::Stop::conflict, {"conflict", "Stop at bank conflicts"}},
      {SlowMotion::Stop::divergence, {"divergence", "Stop where lanes part"}},
      {SlowMotion::Stop::waste, {"waste", "Stop at wasted sectors"}},
      {SlowMotion::Stop::barrier, {"barrier", "Stop at barriers"}}};
  for (auto& [stop, names] : stops)
    add({.id = std::string("motion.stop.") + names.first,
         .title = names.second,
         .help = "A breakpoint of slow motion, on or off.",
         .act =
             [&s, stop = stop] {
               if (!s.motion.stops.erase(stop)) s.motion.stops.insert(stop);
             },
         .enabled = moving,
         .checked = [&s, stop = stop] { return s.motion.stops.count(stop) > 0; }});
  for (auto& info : plot_infos())
    add({.id = std::string("plot.") + info.key,
         .title = std::string("Plot: ") + info.title,
         .help = info.says,
         .act = [&s, key = info.key] { s.choose_plot(key); },
         .enabled = has_step,
         .checked = [&s, key = info.key] { return s.plot() == key; }});
  add({.id = "view.fit",
       .menu = "View",
       .title = "Fit the plots",
       .help = "Shows all of the data again.",
       .keys = {{'0', false, false, true}},
       .act = [&s] { s.ui.fit_plots = true; }});
  add({.id = "view.larger",
       .menu = "View",
       .title = "Larger",
       .help = "Scales everything up, crisply.",
       .keys = {{key::equal, true}, {key::equal, true, true}, {key::keypad_add, true}},
       .act = scale_by(1.1f),
       .separator = true});
  add({.id = "view.smaller",
       .menu = "View",
       .title = "Smaller",
       .help = "Scales everything down.",
       .keys = {{key::minus, true}, {key::keypad_subtract, true}},
       .act = scale_by(1 / 1.1f)});
  add({.id = "view.normal",
       .menu = "View",
       .title = "Normal size",
       .help = "Back to the display's own scale.",
       .keys = {{key::zero, true}, {key::keypad_0, true}},
       .act = scale_by(0)});
  add({.id = "view.system",
       .menu = "View",
       .title = "Theme of the system",
       .help = "Dark or light, as the desktop asks.",
       .act = theme("system"),
       .checked = [&s] { return s.settings.theme == "system"; },
       .separator = true});
  add({.id = "view.dark",
       .menu = "View",
       .title = "Dark theme",
       .help = "Light text on a dark ground.",
       .act = theme("dark"),
       .checked = theme_is("dark")});
  add({.id = "view.light",
       .menu = "View",
       .title = "Light theme",
       .help = "Dark text on a light ground.",
       .act = theme("light"),
       .checked = theme_is("light")});
  add({.id = "view.contrast",
       .menu = "View",
       .title = "High contrast",
       .help = "For projectors and tired eyes.",
       .act = theme("contrast"),
       .checked = theme_is("contrast")});

  add({.id = "instructor.mode",
       .menu = "Instructor",
       .title = "Instructor mode",
       .help = "Opens every reference, all gates and the stored wrong versions.",
       .act = [&s] { s.set_instructor(!s.instructor); },
       .checked = [&s] { return s.instructor; }});
  add({.id = "instructor.tab",
       .menu = "Instructor",
       .title = "What runs, gates, the whole lab",
       .help = "The instructor's tab of this step.",
       .keys = {{'5', false, false, true}},
       .act = tab(Tab::instructor),
       .enabled = [&s] { return s.instructor && s.step(); },
       .checked = [&s] { return s.ui.tab == Tab::instructor; }});
  add({.id = "instructor.own",
       .menu = "Instructor",
       .title = "Run the student's file again",
       .help = "Takes a reference, wrong version or submission out of the file's place.",
       .act = [&s] { s.choose_stand_in(nullptr); },
       .enabled = [&s] { return s.view() && s.view()->stand_in; }});
  add({.id = "instructor.lab",
       .menu = "Instructor",
       .title = "Run the whole lab",
       .help = "All references and wrong versions of the lab, one after the other.",
       .act = [&s] { tab_to_lab(s); },
       .enabled = [&s] { return s.instructor && s.step() && !s.running(); }});

  add({.id = "instructor.submissions",
       .menu = "Instructor",
       .title = "Submissions…",
       .help = "Opens a folder of submissions, steps through them and grades them.",
       .keys = {{key::f7}},
       .act =
           [&s] {
             s.ui.submissions = !s.ui.submissions;
             if (s.ui.submissions) s.set_instructor(true);
           },
       .checked = [&s] { return s.ui.submissions; },
       .separator = true});
  auto at_row = [&s] { return s.submissions->at() >= 0; };
  add({.id = "instructor.next_submission",
       .menu = "Instructor",
       .title = "Next submission",
       .help = "The same step of the next student.",
       .keys = {{key::page_down, false, false, true}},
       .act = [&s] { s.next_submission(1); },
       .enabled = at_row});
  add({.id = "instructor.previous_submission",
       .menu = "Instructor",
       .title = "Previous submission",
       .help = "The same step of the student before.",
       .keys = {{key::page_up, false, false, true}},
       .act = [&s] { s.next_submission(-1); },
       .enabled = at_row});
  add({.id = "instructor.grade",
       .menu = "Instructor",
       .title = "Grade the submissions",
       .help = "Runs every step of every student on hidden inputs, in a sandbox.",
       .act = [&s] { s.grade_submissions(); },
       .enabled = [&s] { return !s.submissions->empty() && !s.submissions->grading(); }});
  add({.id = "instructor.stop_grading",
       .menu = "Instructor",
       .title = "Cancel grading",
       .help = "Ends it; the rows so far stay.",
       .act = [&s] { s.submissions->cancel(); },
       .enabled = [&s] { return s.submissions->grading(); }});
  add({.id = "instructor.export",
       .menu = "Instructor",
       .title = "Export the grades as CSV",
       .help = "As `warpdojo grade --format csv` writes them.",
       .act = [&s] { s.export_grades(); },
       .enabled = [&s] { return !s.submissions->empty(); }});

  add({.id = "lecture.toggle",
       .menu = "Lecture",
       .title = "Lecture mode",
       .help = "The lab's deck on the whole screen, large and in high contrast.",
       .keys = {{key::f11}},
       .act =
           [&s] {
             if (s.ui.lecture)
               s.close_deck();
             else
               s.open_deck();
           },
       .enabled = has_step,
       .checked = [&s] { return s.ui.lecture; }});
  auto lecturing = [&s] { return s.ui.lecture; };
  // Their keys (space, arrows, Page Up and Down) are the lecture's own: elsewhere they mean other things.
  add({.id = "lecture.on",
       .title = "Slides: uncover, or go on (space)",
       .help = "Uncovers what the slide hides, then the next slide.",
       .act =
           [&s] {
             const bool covered = s.talk.covered();
             if (s.talk.advance() && !covered) s.show_slide();
           },
       .enabled = lecturing});
  add({.id = "lecture.next",
       .title = "Slides: next slide (→)",
       .help = "The slide after this one.",
       .act =
           [&s] {
             if (s.talk.next()) s.show_slide();
           },
       .enabled = lecturing});
  add({.id = "lecture.back",
       .title = "Slides: slide before (←)",
       .help = "The slide before this one.",
       .act =
           [&s] {
             if (s.talk.back()) s.show_slide();
           },
       .enabled = lecturing});
  add({.id = "lecture.presenter",
       .menu = "Lecture",
       .title = "Presenter window",
       .help = "Notes, the next slide and a clock in a second window.",
       .keys = {{'N', true}},
       .act = [&s] { s.talk.presenter = !s.talk.presenter; },
       .enabled = lecturing,
       .checked = [&s] { return s.talk.presenter; }});
  add({.id = "lecture.live",
       .menu = "Lecture",
       .title = "Live, not from the recording",
       .help = "Runs the steps here, though the deck names a recording.",
       .act =
           [&s] {
             s.talk.live = !s.talk.live;
             s.show_slide();
           },
       .enabled = [&s] { return s.ui.lecture && !s.talk.deck.recording.empty(); },
       .checked = [&s] { return s.talk.live; }});
  auto can_export = [&s] { return s.step() && !s.running(); };
  add({.id = "lecture.export",
       .menu = "Lecture",
       .title = "Export the deck as HTML",
       .help = "Runs what its slides show, and writes texts, sources, plots and slow motion to one file that "
               "needs no network.",
       .act = [&s] { s.export_deck({}); },
       .enabled = can_export,
       .separator = true});
  add({.id = "lecture.export_pdf",
       .menu = "Lecture",
       .title = "Export the deck as PDF",
       .help = "The slides as they are shown, a page each, uncovered, with their notes.",
       .act = [&s] { s.export_deck({}, true); },
       .enabled = can_export});

  add({.id = "help.palette",
       .menu = "Help",
       .title = "Command palette…",
       .help = "Finds any command or step by a few letters.",
       .keys = {{'P', true}},
       .act = [&s] { s.ui.palette = !s.ui.palette; }});
  add({.id = "help.glossary",
       .menu = "Help",
       .title = "Glossary",
       .help = "What the words of the labs mean.",
       .act = [&s] { s.ui.glossary = !s.ui.glossary; }});
  add({.id = "help.tour",
       .menu = "Help",
       .title = "Tour of the window",
       .help = "Five callouts: what each part of the window is for.",
       .act =
           [&s] {
             s.ui.tour = 0;
             s.ui.lab_page.clear();
             s.ui.plots_only = s.ui.motion = s.ui.submissions = false;
             s.settings.rail_shown = true;
           },
       .enabled = [&s] { return s.step() && !s.ui.lecture; }});
  add({.id = "help.keys",
       .menu = "Help",
       .title = "Keys and commands",
       .help = "This sheet.",
       .keys = {{key::f1}},
       .act = [&s] { s.ui.help = !s.ui.help; }});
}

}  // namespace dojo::gui
