// No arguments: the app, or, with no display, a first step in the terminal and a line saying why.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "cli/cli.hpp"
#include "core/error.hpp"
#include "core/paths.hpp"
#include "run/student/originals.hpp"
#include "run/student/student_progress.hpp"

namespace dojo::cli {
namespace {

bool has_display() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"})
    if (const char* v = std::getenv(name); v && *v) return true;
  return false;
}

int in_terminal(const std::string& why) {
  const Catalog catalog = open_catalog();
  if (catalog.labs.empty()) throw Error("there are no labs under " + (catalog.root / "labs").string());
  const Lab* lab = &catalog.labs.front();
  const auto progress = run::StudentProgress::load();
  const Step* step = &lab->steps.front();
  for (const auto& s : lab->steps)
    if (progress.of(s.id()).state != run::StepState::passed) {
      step = &s;
      break;
    }
  run::keep_original(catalog, *step, data_folder());
  fmt::print(
      "{}: here is {} in the terminal. `warpdojo watch` reruns it on every save, `warpdojo list` shows all "
      "steps.\n\n",
      why, step->id());
  std::fflush(stdout);
  RunOptions o;
  o.step = step->id();
  return cmd_run(o);
}

}  // namespace

int cmd_default() {
  if (!has_display()) return in_terminal("There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)");
  return cmd_app({});
}

}  // namespace dojo::cli
