// Views, plots, sizes and themes.
#include <algorithm>

#include "gui/model/commands/commands.hpp"
#include "gui/model/plots/plots.hpp"
#include "gui/system_theme.hpp"

namespace dojo::gui {

namespace {

/// The tabs of the workspace, and what stands beside them.
void add_tab_commands(Session& s) {
  auto add = command_adder(s);
  auto has_step = while_step_open(s);
  using Tab = UiState::Tab;
  auto tab = [&s](Tab which) { return tab_command(s, which); };

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
       .needs = "an open step",
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
       .needs = "a passed step or the instructor mode",
       .checked = [&s] { return s.ui.tab == Tab::reference; }});
  add({.id = "view.compare",
       .menu = "View",
       .title = "Runs",
       .help = "Earlier runs of this step, compared.",
       .keys = {{'4', false, false, true}},
       .act = tab(Tab::compare),
       .checked = [&s] { return s.ui.tab == Tab::compare; }});
}

void add_code_commands(Session& s) {
  auto add = command_adder(s);
  auto has_step = while_step_open(s);
  using Tab = UiState::Tab;
  auto tab = [&s](Tab which) { return tab_command(s, which); };

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
       .needs = "an open step",
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
       .needs = "an open step",
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
}

void add_plot_commands(Session& s) {
  auto add = command_adder(s);
  auto has_step = while_step_open(s);

  add({.id = "view.plots",
       .menu = "View",
       .title = "Only the plots",
       .help = "Gives the plots the whole window.",
       .keys = {{key::f6}},
       .act = [&s] { s.ui.plots_only = !s.ui.plots_only; },
       .checked = [&s] { return s.ui.plots_only; }});
  for (auto& info : plot_infos())
    add({.id = std::string("plot.") + info.key,
         .title = std::string("Plot: ") + info.title,
         .help = info.says,
         .act = [&s, key = info.key] { s.choose_plot(key); },
         .enabled = has_step,
         .needs = "an open step",
         .checked = [&s, key = info.key] { return s.plot() == key; }});
  add({.id = "view.fit",
       .menu = "View",
       .title = "Fit the plots",
       .help = "Shows all of the data again.",
       .keys = {{'0', false, false, true}},
       .act = [&s] { s.ui.fit_plots = true; }});
}

void add_scale_commands(Session& s) {
  auto add = command_adder(s);
  auto scale_by = [&s](float f) {
    return [&s, f] {
      s.settings.scale = f == 0 ? 1.0f : std::clamp(s.settings.scale * f, 0.5f, 3.0f);
      s.settings_changed();
    };
  };

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
}

void add_theme_commands(Session& s) {
  auto add = command_adder(s);
  auto theme = [&s](const char* name) {
    return [&s, name] {
      s.settings.theme = name;
      if (s.settings.theme == "system") s.settings.system_look = system_theme();
      s.settings.theme_once.clear();
      s.settings_changed();
    };
  };
  auto theme_is = [&s](const char* name) { return [&s, name] { return s.settings.look() == name; }; };

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
}

}  // namespace

void add_view_commands(Session& s) {
  add_tab_commands(s);
  add_code_commands(s);
  add_plot_commands(s);
  add_scale_commands(s);
  add_theme_commands(s);
}

}  // namespace dojo::gui
