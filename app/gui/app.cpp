#include "gui/app.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <future>
#include <optional>
#include <sstream>
#include <thread>

#include "core/error.hpp"
#include "core/paths.hpp"
#include "core/text/error_words.hpp"
#include "gui/bench.hpp"
#include "gui/deck_file.hpp"
#include "gui/look.hpp"
#include "gui/model/session/runner.hpp"
#include "gui/model/session/session.hpp"
#include "gui/model/teaching/presenter.hpp"
#include "gui/panels/teaching/presenter.hpp"
#include "gui/panels/ui.hpp"
#include "gui/theme.hpp"
#include "gui/vector/vector.hpp"
#include "gui/window.hpp"

namespace dojo::gui {

namespace {
double seconds_since(std::chrono::steady_clock::time_point t) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count();
}

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> out;
  run::register_devices();
  for (auto& f : device_families()) {
    std::vector<std::string> why;
    for (auto& d : f.list(&why)) out.push_back(d);
  }
  return out;
}

/// The same plot as vectors: the frame is drawn once more, without fringes, buttons and the mouse.
std::string save_svg(Session&, Ui& ui, const fs::path& file) {
  const Part part{ui.window.png.min.x - 12, ui.window.png.min.y - 8,
                  ui.window.png.max.x - ui.window.png.min.x + 24,
                  ui.window.png.max.y - ui.window.png.min.y + 16};
  ImGuiIO& io = ImGui::GetIO();
  const ImGuiStyle style = ImGui::GetStyle();
  const ImVec2 mouse = io.MousePos;
  io.MousePos = {-FLT_MAX, -FLT_MAX};
  vector_style();
  set_for_print(true);
  ImGui::NewFrame();
  ui.frame();
  ImGui::Render();
  set_for_print(false);
  ImGui::GetStyle() = style;
  io.MousePos = mouse;
  try {
    return write_atomically(file, to_svg(*ImGui::GetDrawData(), part, theme().panel));
  } catch (const std::exception& e) {
    return error_words(e);
  }
}

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

void first_step(Session& s, const std::string& wanted) {
  s.add_kept_programs();
  std::error_code ec;
  const bool program = wanted.ends_with(".cu"), there = fs::exists(wanted, ec);
  if (program && there) {
    if (s.open_program(wanted)) return;
  } else if (program && !names_step(s.catalog(), wanted)) {
    s.toast("There is no file " + wanted + ".", Tone::bad);
  } else if (wanted.ends_with(".json")) {
    if (s.open_report(wanted)) return;
  } else if (const Lab* lab = s.catalog().find_lab(wanted); lab && !lab->steps.empty()) {
    s.open(lab->steps.front().id());
    s.ui.lab_page = lab->name;
    return;
  } else if (!wanted.empty() && s.open(wanted)) {
    return;
  }
  if (!s.settings.step.empty())
    for (auto& l : s.catalog().labs)
      for (auto& st : l.steps)
        if (st.id() == s.settings.step) {
          s.open(st.id());
          return;
        }
  // A newcomer starts at the first step of the first lab, with the tour.
  if (s.catalog().labs.empty() || s.catalog().labs.front().steps.empty()) return;
  s.open(s.catalog().labs.front().steps.front().id());
  if (wanted.empty()) s.ui.tour = 0;
}
}  // namespace

bool has_display() {
  const char* x = std::getenv("DISPLAY");
  const char* w = std::getenv("WAYLAND_DISPLAY");
  return (x && *x) || (w && *w);
}

int run_app(const GuiOptions& o) {
  auto start = std::chrono::steady_clock::now();
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

    // The labs are read and the letters are drawn while the window is made, the longest part of a start.
    auto labs =
        std::async(std::launch::async, [&o] { return load_catalog(o.root.empty() ? find_root() : o.root); });
    const Settings kept = Settings::load(places.config);
    float fonts_scale = (o.scale > 0 ? o.scale : 1.0f) * kept.scale;  // most displays have a scale of one
    std::optional<Window> own_window;
    std::future<void> fonts_made;
    if (o.commands != "help") {
      fonts_made = std::async(std::launch::async, [fonts_scale] { build_fonts(fonts_scale); });
      own_window.emplace(o.width > 0 ? o.width : kept.width, o.height > 0 ? o.height : kept.height,
                         o.width <= 0 && kept.maximized, "WarpDojo");
    }
    Session s(labs.get(), o.runner ? o.runner() : make_worker_runner(), places, {}, [] { Window::wake(); });
    if (o.runner) s.make_enclosed = [make = o.runner](const run::WorkerOptions&) { return make(); };
    if (o.grader) s.submissions = o.grader([] { Window::wake(); });
    s.set_instructor(o.instructor);
    s.set_lister(o.runner ? o.runner : [] { return make_worker_runner(); });
    s.settings.theme_once = o.theme;
    if (!o.keep_nothing && (places.config.empty() || places.data.empty()))
      s.toast(
          "Settings, progress and earlier runs are not kept: there is no folder to write them to "
          "(XDG_CONFIG_HOME, XDG_DATA_HOME, HOME).",
          Tone::warn);
    if (o.commands == "help") {
      for (auto& c : s.commands.all()) fmt::print("{:28} {}\n", c.id, c.title);
      return 0;
    }
    auto wanted = wanted_commands(s.commands, o.commands);
    const bool picture = !o.screenshot.empty() || !o.notes_screenshot.empty();
    Window& window = *own_window;
    io.KeyMap[ImGuiKey_Tab] = -1;  // its walk knows text fields only; ours knows every part (focus.hpp)
    // The list of devices may wait for a driver, and reads all recordings: it comes after the first frame,
    // when it is there.
    std::future<std::vector<DeviceInfo>> devices;
    bool devices_known = false;
    first_step(s, o.step);
    if (picture || o.keep_nothing || !o.commands.empty() || o.frames > 0) s.ui.tour = -1;
    s.course_file = o.course;
    if (!o.submissions.empty() && !s.open_submissions(o.submissions) && picture)
      throw Error(s.submissions->error());
    if (!o.lecture.empty()) s.open_deck(o.lecture);
    Ui ui(s);
    fonts_made.get();
    std::unique_ptr<SecondWindow> notes;
    std::unique_ptr<DeckFile> deck_file;
    bool in_lecture = false;
    bool slides = false;  // the fonts of lectures are built
    float scale = 0;
    std::string look;
    bool taken = !picture;
    int frame = 0, settle = 3, calm = 0;
    auto last_frame = start;
    bool told = false;
    Measured& m = measured();
    m = {};
    while (true) {
      if (window.closing() || s.ui.quit) {
        if (s.may_close()) break;
        window.keep_open();
        s.ui.quit = false;
      }
      // A look a few frames long after each event lets ImGui settle; else the loop sleeps.
      // Never more than some sixty frames a second: the processor belongs to the run.
      double since = frame > 0 ? seconds_since(last_frame) : 1, due = std::max(0.0, 1.0 / 60 - since);
      double rest = settle > 0 || o.frames > 0 || picture || s.running()
                        ? due
                        : std::min({ui.next_frame(), s.next_tick(), 60.0});
      if (o.seconds > 0) rest = std::min(rest, std::max(0.0, o.seconds - seconds_since(start)));
      rest = std::max(rest, 0.001);  // a wait that ends early is how an event is noticed
      bool busy = s.running();
      auto before = std::chrono::steady_clock::now();
      const bool input = window.wait(rest);
      bool slept_out = !input && seconds_since(before) >= rest * 0.98;
      // A flood of events (a fast mouse) must not become a flood of frames.
      if (double early = 0.008 - (frame > 0 ? seconds_since(last_frame) : 1); early > 0)
        std::this_thread::sleep_for(std::chrono::duration<double>(early));
      last_frame = std::chrono::steady_clock::now();
      bool news = s.tick(seconds_since(start));
      if (std::string dropped = window.take_drop(); !dropped.empty()) s.open_file(dropped);
      const bool busy_now =
          s.running() || s.listing() || s.submissions->grading() || deck_file || s.exporting.ready;
      while (!wanted.empty() && frame > 0 && !s.running() && !s.submissions->grading()) {
        const Command& c = *s.commands.find(wanted.front());
        if (!s.commands.run(c.id))
          throw Error("the command '" + c.id + "' (" + c.title + ") can't be used here and now");
        wanted.pop_front();
        settle = 3;
      }
      // Some frames with nothing under way: the picture shows what a person would see in the end.
      calm = busy_now || !wanted.empty() || !devices_known ? 0 : calm + 1;
      if (o.rerun && !s.running()) s.run(false);
      if (devices.valid() && devices.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
        s.set_devices(devices.get()), devices_known = true;
      // A run draws sixty frames a second by itself; what else moves gets a few frames to settle.
      if (!slept_out || (news && !s.running())) settle = std::max(settle, 3);

      // While a deck is written the session shows its slides one by one: the window stays as it is.
      const bool big = deck_file ? in_lecture : s.ui.lecture;
      int width, height;
      bool maximized;
      window.get_size(&width, &height, &maximized);
      float want =
          (o.scale > 0 ? o.scale : window.content_scale()) * s.settings.scale *
          (big ? lecture_scale(width, height, o.scale > 0 ? o.scale : window.content_scale()) : 1.0f);
      std::string want_look = big ? s.lecture_theme() : s.settings.look();
      if (want != fonts_scale || big != slides) {
        build_fonts(want, big);
        fonts_scale = want;
        slides = big;
        settle = 3;
        if (scale > 0) window.upload_fonts();
      }
      if (want != scale || want_look != look) {
        set_theme(want_look, want);
        scale = want;
        look = want_look;
        settle = 3;
      }
      window.set_fullscreen(big && o.width <= 0);
      // With two screens the lecturer gets the notes on the first by themselves.
      if (s.ui.lecture != in_lecture && !deck_file) {
        in_lecture = s.ui.lecture;
        if (in_lecture && Window::two_screens()) s.talk.presenter = true;
      }
      auto drawn = std::chrono::steady_clock::now();
      window.new_frame();
      if (picture)
        io.MousePos = {-FLT_MAX, -FLT_MAX};  // wherever the pointer happens to be, it is not in the picture
      ImGui::NewFrame();
      ui.frame();
      ImGui::Render();
      double cpu = seconds_since(drawn) * 1e3;
      const bool changed = window.render(theme().ground);
      ++frame;
      if (settle > 0) --settle;
      bool last = (o.frames > 0 ? frame >= o.frames && (calm > 0 || (!busy_now && !picture && wanted.empty()))
                                : picture && calm >= 20) ||
                  (o.seconds > 0 && seconds_since(start) >= o.seconds);
      if (last && !o.screenshot.empty()) {
        if (o.width > 0 &&
            (int(io.DisplaySize.x) != o.width || (o.height > 0 && int(io.DisplaySize.y) != o.height)))
          throw Error(fmt::format("the picture would be {} x {}: the screen is no larger", io.DisplaySize.x,
                                  io.DisplaySize.y));
        int w, h;
        auto rgb = window.pixels({0, 0}, io.DisplaySize, &w, &h);
        std::string problem = write_png(o.screenshot, w, h, rgb);
        if (!problem.empty()) throw Error(problem);
      }
      if (s.ui.card) {
        s.ui.card = false;
        for (auto& [what, r] : ui.window.layout)
          if (what == "verdict") {
            int w, h;
            auto rgb = window.pixels({r.x, r.y}, {r.z, r.w}, &w, &h);
            const std::string problem = write_png(s.card_picture, w, h, rgb);
            const std::string page = fs::path(s.card_picture).replace_extension(".html").string();
            s.toast(problem.empty() ? "Saved as " + page + ", with its picture beside it." : problem,
                    problem.empty() ? Tone::good : Tone::bad);
            break;
          }
        settle = 3;
      }
      if (ui.window.png.due) {
        ui.window.png.due = false;
        int w, h;
        auto rgb = window.pixels({ui.window.png.min.x - 12, ui.window.png.min.y - 8},
                                 {ui.window.png.max.x + 12, ui.window.png.max.y + 8}, &w, &h);
        fs::path file = (places.data.empty() ? fs::path(".") : places.data / "pictures") / ui.window.png.file;
        std::string problem = write_png(file, w, h, rgb);
        if (problem.empty()) problem = save_svg(s, ui, fs::path(file).replace_extension(".svg"));
        s.toast(problem.empty() ? "Saved as " + file.string() + ", and as SVG beside it" : problem,
                problem.empty() ? Tone::good : Tone::bad);
        settle = 3;
      }
      if (changed) window.swap();
      if (s.exporting.ready && !deck_file) deck_file = std::make_unique<DeckFile>(s);
      if (deck_file) {
        if (!deck_file->step()) deck_file.reset();
        settle = 3;
      }
      if (notes && notes->closing()) s.talk.presenter = false;
      if (s.ui.lecture && s.talk.presenter && !notes) {
        try {
          notes = std::make_unique<SecondWindow>(window, int(820 * std::max(1.0f, scale / 1.35f)),
                                                 int(560 * std::max(1.0f, scale / 1.35f)), "WarpDojo notes");
        } catch (const Error& e) {
          s.talk.presenter = false;
          s.toast(e.what(), Tone::bad);
        }
      } else if (notes && (!s.ui.lecture || !s.talk.presenter) && !deck_file) {
        notes.reset();
      }
      if (notes && !deck_file) {
        notes->set_title("WarpDojo notes " + presenter_page(s).position);
        notes->draw(theme().panel, [&] { draw_presenter(s); });
        if (last && !o.notes_screenshot.empty()) {
          int w, h;
          auto rgb = notes->pixels(&w, &h);
          std::string problem = write_png(o.notes_screenshot, w, h, rgb);
          if (!problem.empty()) throw Error(problem);
        }
      }
      double whole = seconds_since(drawn) * 1e3;
      if (!told) {
        told = true;
        m.first_frame_ms = seconds_since(start) * 1e3;
        devices = std::async(std::launch::async, [] {
          auto d = list_devices();
          Window::wake();
          return d;
        });
      }
      if (changed) m.frames.push_back({whole, cpu, busy, seconds_since(start)});
      if (m.frames.size() > 20000) m.frames.erase(m.frames.begin(), m.frames.begin() + 10000);
      if (last) {
        if (!notes && !o.notes_screenshot.empty())
          throw Error(
              "there is no notes window to take a picture of (lecture.toggle, then lecture.presenter)");
        taken = true;
        break;
      }
    }
    if (o.width <= 0 && !window.fullscreen()) {
      auto& k = s.settings;
      window.get_size(&k.width, &k.height, &k.maximized);
      s.settings_changed();
    }
    s.save_now();
    if (!taken) throw Error("the window was closed before its picture was taken");
  } catch (const Error& e) {
    fmt::print(stderr, "warpdojo: {}\n", e.what());
    return e.exit;
  } catch (const std::exception& e) {
    fmt::print(stderr, "warpdojo: {}\n", error_words(e));
    return 2;
  }
  return 0;
}

}  // namespace dojo::gui
