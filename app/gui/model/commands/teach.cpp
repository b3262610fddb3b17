// Instructors, lectures, and help.
#include "gui/model/commands/commands.hpp"

namespace dojo::gui {

namespace {
void tab_to_lab(Session& s) {
  s.ui.tab = UiState::Tab::instructor;
  s.ui.focus = "lab";
  s.lab_run.start(*s.lab(), s.lab_run.choice);
}

void add_instructor_commands(Session& s) {
  auto add = command_adder(s);
  using Tab = UiState::Tab;
  auto tab = [&s](Tab which) { return tab_command(s, which); };

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
       .needs = "the instructor mode and an open step",
       .checked = [&s] { return s.ui.tab == Tab::instructor; }});
  add({.id = "instructor.own",
       .menu = "Instructor",
       .title = "Run the student's file again",
       .help = "Takes a reference, wrong version or submission out of the file's place.",
       .act = [&s] { s.choose_stand_in(nullptr); },
       .enabled = [&s] { return s.view() && s.view()->stand_in; },
       .needs = "another file in the place of the student's"});
  add({.id = "instructor.lab",
       .menu = "Instructor",
       .title = "Run the whole lab",
       .help = "All references and wrong versions of the lab, one after the other.",
       .act = [&s] { tab_to_lab(s); },
       .enabled = [&s] { return s.instructor && s.step() && !s.running(); },
       .needs = "the instructor mode and an open step"});
}

void add_submission_commands(Session& s) {
  auto add = command_adder(s);

  add({.id = "instructor.submissions",
       .menu = "Instructor",
       .title = "Submissions…",
       .help = "Opens a folder of submissions, steps through them and grades them.",
       .keys = {{key::f7}},
       .act = [&s] { s.ui.submissions = !s.ui.submissions; },
       .checked = [&s] { return s.ui.submissions; },
       .separator = true});
  auto at_row = [&s] { return s.desk.table->at() >= 0; };
  add({.id = "instructor.next_submission",
       .menu = "Instructor",
       .title = "Next submission",
       .help = "The same step of the next student.",
       .keys = {{key::page_down, false, false, true}},
       .act = [&s] { s.desk.next(1); },
       .enabled = at_row,
       .needs = "an opened submission"});
  add({.id = "instructor.previous_submission",
       .menu = "Instructor",
       .title = "Previous submission",
       .help = "The same step of the student before.",
       .keys = {{key::page_up, false, false, true}},
       .act = [&s] { s.desk.next(-1); },
       .enabled = at_row,
       .needs = "an opened submission"});
  add({.id = "instructor.grade",
       .menu = "Instructor",
       .title = "Grade the submissions",
       .help = "Runs every step of every student on hidden inputs, in a sandbox.",
       .act = [&s] { s.desk.grade(); },
       .enabled = [&s] { return !s.desk.table->empty() && !s.desk.table->grading(); },
       .needs = "an opened folder of submissions"});
  add({.id = "instructor.stop_grading",
       .menu = "Instructor",
       .title = "Cancel grading",
       .help = "Ends it; the rows so far stay.",
       .act = [&s] { s.desk.table->cancel(); },
       .enabled = [&s] { return s.desk.table->grading(); },
       .needs = "a grading under way"});
  add({.id = "instructor.export",
       .menu = "Instructor",
       .title = "Export the grades as CSV",
       .help = "As `warpdojo grade --format csv` writes them.",
       .act = [&s] { s.desk.export_csv(); },
       .enabled = [&s] { return !s.desk.table->empty(); },
       .needs = "an opened folder of submissions"});
}

void add_lecture_commands(Session& s) {
  auto add = command_adder(s);
  auto has_step = while_step_open(s);

  add({.id = "lecture.toggle",
       .menu = "Lecture",
       .title = "Lecture mode",
       .help = "The lab's deck on the whole screen, large and in high contrast.",
       .keys = {{key::f11}},
       .act =
           [&s] {
             if (s.ui.lecture)
               s.lectern.close();
             else
               s.lectern.open();
           },
       .enabled = has_step,
       .needs = "an open step",
       .checked = [&s] { return s.ui.lecture; }});
}

/// When a command is enabled: in a lecture.
auto while_lecturing(Session& s) {
  return [&s] { return s.ui.lecture; };
}

void add_slide_commands(Session& s) {
  auto add = command_adder(s);
  auto lecturing = while_lecturing(s);

  // Their keys (space, arrows, Page Up and Down) are the lecture's own: elsewhere they mean other things.
  add({.id = "lecture.on",
       .title = "Slides: uncover, or go on (space)",
       .help = "Uncovers what the slide hides, then the next slide.",
       .act =
           [&s] {
             const bool covered = s.lectern.talk.covered();
             if (s.lectern.talk.advance() && !covered) s.lectern.show();
           },
       .enabled = lecturing,
       .needs = "lecture mode"});
  add({.id = "lecture.next",
       .title = "Slides: next slide (→)",
       .help = "The slide after this one.",
       .act =
           [&s] {
             if (s.lectern.talk.next()) s.lectern.show();
           },
       .enabled = lecturing,
       .needs = "lecture mode"});
  add({.id = "lecture.back",
       .title = "Slides: slide before (←)",
       .help = "The slide before this one.",
       .act =
           [&s] {
             if (s.lectern.talk.back()) s.lectern.show();
           },
       .enabled = lecturing,
       .needs = "lecture mode"});
  add({.id = "lecture.presenter",
       .menu = "Lecture",
       .title = "Notes window",
       .help = "Notes, the next slide and a clock in a second window.",
       .keys = {{'N', true}},
       .act = [&s] { s.lectern.talk.presenter = !s.lectern.talk.presenter; },
       .enabled = lecturing,
       .needs = "lecture mode",
       .checked = [&s] { return s.lectern.talk.presenter; }});
  add({.id = "lecture.live",
       .menu = "Lecture",
       .title = "Live, not from the recording",
       .help = "Runs the steps here, though the deck names a recording.",
       .act =
           [&s] {
             s.lectern.talk.live = !s.lectern.talk.live;
             s.lectern.show();
           },
       .enabled = [&s] { return s.ui.lecture && !s.lectern.talk.deck.recording.empty(); },
       .needs = "a deck with a recording in lecture mode",
       .checked = [&s] { return s.lectern.talk.live; }});
}

void add_export_commands(Session& s) {
  auto add = command_adder(s);

  auto can_export = [&s] { return s.step() && !s.running(); };
  add({.id = "lecture.export",
       .menu = "Lecture",
       .title = "Export the deck as HTML",
       .help = "Runs what its slides show, and writes texts, sources, plots and slow motion to one file that "
               "needs no network.",
       .act = [&s] { s.lectern.write_file({}); },
       .enabled = can_export,
       .needs = "an open step",
       .separator = true});
  add({.id = "lecture.export_pdf",
       .menu = "Lecture",
       .title = "Export the deck as PDF",
       .help = "The slides as they are shown, a page each, uncovered, with their notes.",
       .act = [&s] { s.lectern.write_file({}, true); },
       .enabled = can_export,
       .needs = "an open step"});
}

}  // namespace

void add_teach_commands(Session& s) {
  add_instructor_commands(s);
  add_submission_commands(s);
  add_lecture_commands(s);
  add_slide_commands(s);
  add_export_commands(s);
}

void add_help_commands(Session& s) {
  auto add = command_adder(s);

  add({.id = "help.palette",
       .menu = "Help",
       .title = "Command palette…",
       .help = "Finds any command or step by a few letters.",
       .keys = {{'P', true}},
       .act = [&s] { s.ui.toggle(Overlay::palette); }});
  add({.id = "help.glossary",
       .menu = "Help",
       .title = "Glossary",
       .help = "What the words of the labs mean.",
       .act = [&s] { s.ui.toggle(Overlay::glossary); }});
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
       .enabled = [&s] { return s.step() && !s.ui.lecture; },
       .needs = "an open step outside lecture mode"});
  add({.id = "help.keys",
       .menu = "Help",
       .title = "Keys and commands",
       .help = "This sheet.",
       .keys = {{key::f1}},
       .act = [&s] { s.ui.toggle(Overlay::help); }});
}

}  // namespace dojo::gui
