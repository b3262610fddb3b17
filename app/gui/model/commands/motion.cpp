// Slow motion.
#include "gui/model/commands/commands.hpp"

namespace dojo::gui {

namespace {

/// When a command is enabled: while slow motion shows a recording, outside of lectures.
auto while_moving(Session& s) {
  return [&s] { return s.ui.motion && !s.ui.lecture && s.motion.trace() != nullptr; };
}

void add_record_commands(Session& s) {
  auto add = command_adder(s);
  auto has_step = while_step_open(s);

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
               s.recorder.open();
           },
       .enabled = has_step,
       .needs = "an open step",
       .checked = [&s] { return s.ui.motion; }});
  add({.id = "motion.record",
       .menu = "Motion",
       .title = "Record the block again",
       .help = "Runs the block once more, after an edit.",
       .keys = {{'R', true}},
       .act = [&s] { s.recorder.record(); },
       .enabled = [&s] { return s.ui.motion && !s.running(); },
       .needs = "slow motion"});
}

void add_step_commands(Session& s) {
  auto add = command_adder(s);
  auto moving = while_moving(s);

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
       .needs = "slow motion with a recorded block",
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
       .enabled = moving,
       .needs = "slow motion with a recorded block"});
  add({.id = "motion.play",
       .menu = "Motion",
       .title = "Play or pause",
       .help = "Plays at the chosen speed up to the next breakpoint.",
       .keys = {{key::space}},
       .act = [&s] { s.motion.playing = !s.motion.playing; },
       .enabled = moving,
       .needs = "slow motion with a recorded block",
       .checked = [&s] { return s.motion.playing; }});
}

/// To breakpoints and to both ends.
void add_jump_commands(Session& s) {
  auto add = command_adder(s);
  auto moving = while_moving(s);

  add({.id = "motion.next_stop",
       .menu = "Motion",
       .title = "On to the next breakpoint",
       .help = "Goes on to a marked line, a finding or a conflict.",
       .keys = {{key::right, false, true}},
       .act =
           [&s] {
             s.motion.playing = false;
             s.motion.run_on(true);
           },
       .enabled = moving,
       .needs = "slow motion with a recorded block"});
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
       .enabled = moving,
       .needs = "slow motion with a recorded block"});
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
       .enabled = moving,
       .needs = "slow motion with a recorded block"});
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
       .enabled = moving,
       .needs = "slow motion with a recorded block"});
}

/// What a step is, how registers are called, and where playing stops.
void add_detail_commands(Session& s) {
  auto add = command_adder(s);
  auto moving = while_moving(s);

  add({.id = "motion.grain",
       .menu = "Motion",
       .title = "By lines or by instructions",
       .help = "Sets what one step is: a line or an instruction.",
       .keys = {{'I'}},
       .act =
           [&s] {
             s.motion.set_grain(s.motion.grain() == SlowMotion::Grain::line ? SlowMotion::Grain::instruction
                                                                            : SlowMotion::Grain::line);
           },
       .enabled = moving,
       .needs = "slow motion with a recorded block",
       .checked = [&s] { return s.motion.grain() == SlowMotion::Grain::instruction; },
       .separator = true});
  add({.id = "motion.names",
       .menu = "Motion",
       .title = "PTX names of registers",
       .help = "Calls registers as PTX does (%r3), not by the variables that they hold.",
       .keys = {{'N'}},
       .act = [&s] { s.ui.ptx_names = !s.ui.ptx_names; },
       .enabled = moving,
       .needs = "slow motion with a recorded block",
       .checked = [&s] { return s.ui.ptx_names; }});
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
         .needs = "slow motion with a recorded block",
         .checked = [&s, stop = stop] { return s.motion.stops.count(stop) > 0; }});
}

}  // namespace

void add_motion_commands(Session& s) {
  add_record_commands(s);
  add_step_commands(s);
  add_jump_commands(s);
  add_detail_commands(s);
}

}  // namespace dojo::gui
