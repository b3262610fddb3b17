// Starts the app: the window, the session, and what is open at first.
#include "gui/app.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <cstdlib>
#include <sstream>

#include "core/error.hpp"
#include "core/paths.hpp"
#include "core/text/error_words.hpp"
#include "gui/app_loop.hpp"
#include "gui/bench.hpp"
#include "gui/theme.hpp"

namespace dojo::gui {

namespace {
/// The commands' ids; throws Error when there is no such command.
std::deque<std::string> wanted_commands(const CommandTable& table, const std::string& list) {
  std::deque<std::string> out;
  std::stringstream in(list);
  for (std::string id; std::getline(in, id, ',');) {
    if (!table.find(id)) throw Error("there is no command '" + id + "' (--commands help lists all)");
    out.push_back(id);
  }
  return out;
}

bool names_step(const Catalog& catalog, const std::string& wanted) {
  try {
    catalog.find(wanted);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// False: what was asked for is not there, and another step is open in its place.
bool first_step(Session& s, const std::string& wanted) {
  s.add_kept_programs();
  std::error_code ec;
  const bool program = wanted.ends_with(".cu"), there = fs::exists(wanted, ec);
  if (program && there) {
    if (s.open_program(wanted)) return true;
  } else if (program && !names_step(s.catalog(), wanted)) {
    s.toast("There is no file " + wanted + ".", Tone::bad);
  } else if (wanted.ends_with(".json")) {
    if (s.open_report(wanted)) return true;
  } else if (const Lab* lab = s.catalog().find_lab(wanted); lab && !lab->steps.empty()) {
    s.open(lab->steps.front().id());
    s.ui.lab_page = lab->name;
    return true;
  } else if (!wanted.empty() && s.open(wanted)) {
    return true;
  }
  if (!s.settings.step.empty())
    for (auto& l : s.catalog().labs)
      for (auto& st : l.steps)
        if (st.id() == s.settings.step) {
          s.open(st.id());
          return wanted.empty();
        }
  // A newcomer starts at the first step of the first lab, with the tour.
  if (s.catalog().labs.empty() || s.catalog().labs.front().steps.empty()) return wanted.empty();
  s.open(s.catalog().labs.front().steps.front().id());
  if (wanted.empty()) s.ui.tour = 0;
  return wanted.empty();
}
}  // namespace

AppLoop::AppLoop(const GuiOptions& o, const Places& places, std::chrono::steady_clock::time_point start)
    : o_(o),
      places_(places),
      start_(start),
      kept_(Settings::load(places.config, &kept_problem_)),
      fonts_scale_((o.scale > 0 ? o.scale : 1.0f) * kept_.scale),
      picture_(!o.screenshot.empty() || !o.notes_screenshot.empty()),
      taken_(!picture_),
      last_frame_(start) {}

int AppLoop::run() {
  // The labs are read and the letters are drawn while the window is made, the longest part of a start.
  auto labs = std::async(std::launch::async,
                         [this] { return load_catalog(o_.root.empty() ? find_root() : o_.root); });
  if (o_.commands != "help") {
    fonts_made_ = std::async(std::launch::async, [scale = fonts_scale_] { build_fonts(scale); });
    window_.emplace(o_.width > 0 ? o_.width : kept_.width, o_.height > 0 ? o_.height : kept_.height,
                    o_.width <= 0 && kept_.maximized, "WarpDojo");
  }
  session_ = std::make_unique<Session>(labs.get(), o_.runner ? o_.runner() : make_worker_runner(), places_,
                                       std::vector<DeviceInfo>{}, [] { Window::wake(); });
  set_up_session();
  if (!kept_problem_.empty()) session_->toast(kept_problem_, Tone::warn);
  if (o_.commands == "help") {
    for (auto& c : session_->commands.all()) fmt::print("{:28} {}\n", c.id, c.title);
    return 0;
  }
  open_first();
  ui_ = std::make_unique<Ui>(*session_);
  fonts_made_.get();
  measured() = {};
  loop();
  keep_window_size();
  session_->save_now();
  if (!taken_) throw Error("the window was closed before its picture was taken");
  return 0;
}

void AppLoop::set_up_session() {
  Session& s = *session_;
  if (o_.runner) s.desk.make_enclosed = [make = o_.runner](const run::WorkerOptions&) { return make(); };
  if (o_.grader) s.desk.table = o_.grader([] { Window::wake(); });
  s.set_instructor(o_.instructor);
  s.set_lister(o_.runner ? o_.runner : [] { return make_worker_runner(); });
  s.settings.theme_once = o_.theme;
  if (!o_.keep_nothing && (places_.config.empty() || places_.data.empty()))
    s.toast(
        "Settings, progress and earlier runs are not kept: there is no folder to write them to "
        "(XDG_CONFIG_HOME, XDG_DATA_HOME, HOME).",
        Tone::warn);
}

/// What the command line asks to be open at first.
void AppLoop::open_first() {
  Session& s = *session_;
  wanted_ = wanted_commands(s.commands, o_.commands);
  ImGui::GetIO().KeyMap[ImGuiKey_Tab] =
      -1;  // its walk knows text fields only; ours knows every part (focus.hpp)
  if (!first_step(s, o_.step) && picture_)
    throw Error("there is no '" + o_.step + "' to take a picture of (`warpdojo list` shows all steps)");
  const bool teaches = !o_.lecture.empty() || !o_.submissions.empty() || o_.instructor;
  if (picture_ || o_.keep_nothing || !o_.commands.empty() || o_.frames > 0 || teaches) s.ui.tour = -1;
  s.desk.course_file = o_.course;
  if (!o_.submissions.empty() && !s.desk.open(o_.submissions) && picture_) throw Error(s.desk.table->error());
  if (!o_.lecture.empty()) s.lectern.open(o_.lecture);
}

void AppLoop::keep_window_size() {
  if (o_.width > 0 || window_->fullscreen()) return;
  auto& k = session_->settings;
  window_->get_size(&k.width, &k.height, &k.maximized);
  session_->settings_changed();
}

int run_app(const GuiOptions& o) {
  const auto start = std::chrono::steady_clock::now();
  Places places;
  if (!o.keep_nothing) places = {config_folder(), data_folder(), true};
  try {
    ImGui::CreateContext();
    struct Context {
      ~Context() { ImGui::DestroyContext(); }
    } context;
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    return AppLoop(o, places, start).run();
  } catch (const Error& e) {
    fmt::print(stderr, "warpdojo: {}\n", e.what());
    return e.exit;
  } catch (const std::exception& e) {
    fmt::print(stderr, "warpdojo: {}\n", error_words(e));
    return 2;
  }
}

}  // namespace dojo::gui
