// warpdojo app: the window.
#include "cli/cli.hpp"
#include "gui/app.hpp"
#include "gui/bench.hpp"

namespace dojo::cli {

int cmd_app(const AppOptions& o) {
  gui::GuiOptions g;
  g.step = o.step;
  g.lecture = o.lecture;
  g.submissions = o.submissions;
  g.course = o.course;
  g.theme = o.theme;
  g.commands = o.commands;
  g.screenshot = o.screenshot;
  g.notes_screenshot = o.notes_screenshot;
  g.instructor = o.instructor;
  g.scale = o.scale;
  g.frames = o.frames;
  g.width = o.width;
  g.height = o.height;
  return gui::run_app(g);
}

run::Figures bench_window(const run::BenchOptions& o) { return gui::bench_app(o.quick, o.say); }

}  // namespace dojo::cli
