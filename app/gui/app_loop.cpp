#include "gui/app_loop.hpp"

#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <thread>

#include "core/error.hpp"
#include "gui/bench.hpp"
#include "gui/look.hpp"
#include "gui/model/teaching/presenter.hpp"
#include "gui/panels/teaching/presenter.hpp"
#include "gui/theme.hpp"

namespace dojo::gui {

namespace {
std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> out;
  run::register_devices();
  for (auto& f : device_families()) {
    std::vector<std::string> why;
    for (auto& d : f.list(&why)) out.push_back(d);
  }
  return out;
}
}  // namespace

void AppLoop::loop() {
  while (!ends()) {
    wait_for_events();
    fit_fonts_and_theme();
    const auto drawn = std::chrono::steady_clock::now();
    const bool changed = draw();
    const bool last =
        (o_.frames > 0 ? frame_ >= o_.frames && (calm_ > 0 || (!busy_now_ && !picture_ && wanted_.empty()))
                       : picture_ && calm_ >= 20) ||
        (o_.seconds > 0 && seconds_since(start_) >= o_.seconds);
    if (last && !o_.screenshot.empty()) take_screenshot();
    if (session_->ui.card) save_card_picture();
    if (ui_->window.png.due) save_plot_picture();
    if (changed) window_->swap();
    step_deck_file();
    draw_notes(last);
    measure(seconds_since(drawn) * 1e3, changed);
    if (o_.after_pass) o_.after_pass();
    if (!last) continue;
    if (!notes_ && !o_.notes_screenshot.empty())
      throw Error("there is no notes window to take a picture of (lecture.toggle, then lecture.presenter)");
    taken_ = true;
    return;
  }
}

/// Is the window closed, or the app told to quit? Where text would be lost it stays, and asks.
bool AppLoop::ends() {
  Session& s = *session_;
  if (!window_->closing() && !s.ui.quit) return false;
  if (s.may_close()) return true;
  window_->keep_open();
  s.ui.quit = false;
  return false;
}

/// Sleeps until an event, or until something is due; then takes up what came.
void AppLoop::wait_for_events() {
  Session& s = *session_;
  // ImGui needs a few frames to settle after each event; then the loop sleeps. At most 60 frames per second:
  // the processor belongs to the run.
  double since = frame_ > 0 ? seconds_since(last_frame_) : 1, due = std::max(0.0, 1.0 / 60 - since);
  double rest = settle_ > 0 || o_.frames > 0 || picture_ || s.running()
                    ? due
                    : std::min({ui_->next_frame(), s.next_tick(), 60.0});
  if (o_.seconds > 0) rest = std::min(rest, std::max(0.0, o_.seconds - seconds_since(start_)));
  rest = std::max(rest, 0.001);  // a wait that ends early is how an event is noticed
  busy_ = s.running();
  const auto before = std::chrono::steady_clock::now();
  const bool input = window_->wait(rest);
  const bool slept_out = !input && seconds_since(before) >= rest * 0.98;
  // A flood of events (a fast mouse) must not become a flood of frames.
  if (double early = 0.008 - (frame_ > 0 ? seconds_since(last_frame_) : 1); early > 0)
    std::this_thread::sleep_for(std::chrono::duration<double>(early));
  last_frame_ = std::chrono::steady_clock::now();
  const bool news = s.tick(seconds_since(start_));
  if (std::string dropped = window_->take_drop(); !dropped.empty()) s.open_file(dropped);
  busy_now_ =
      s.running() || s.listing() || s.desk.table->grading() || deck_file_ || s.lectern.exporting.ready;
  run_wanted_commands();
  // Frames in succession with nothing under way: the picture shows the final state.
  calm_ = busy_now_ || !wanted_.empty() || !devices_known_ ? 0 : calm_ + 1;
  if (o_.rerun && !s.running()) s.run(false);
  take_devices();
  // A run draws sixty frames a second by itself; what else moves gets a few frames to settle.
  if (!slept_out || (news && !s.running())) settle_ = std::max(settle_, 3);
}

void AppLoop::run_wanted_commands() {
  Session& s = *session_;
  while (!wanted_.empty() && frame_ > 0 && !s.running() && !s.desk.table->grading()) {
    const Command& c = *s.commands.find(wanted_.front());
    if (!s.commands.run(c.id))
      throw Error("the command '" + c.id + "' (" + c.title + ") can't be used here and now: it needs " +
                  c.needs);
    wanted_.pop_front();
    settle_ = 3;
  }
}

void AppLoop::take_devices() {
  if (devices_.valid() && devices_.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
    session_->set_devices(devices_.get()), devices_known_ = true;
}

/// Fonts and theme for the window's scale; a lecture has its own. While a deck is written the session shows
/// its slides one by one: the window stays as it is.
void AppLoop::fit_fonts_and_theme() {
  Session& s = *session_;
  const bool big = deck_file_ ? in_lecture_ : s.ui.lecture;
  int width, height;
  bool maximized;
  window_->get_size(&width, &height, &maximized);
  const float display = o_.scale > 0 ? o_.scale : window_->content_scale();
  own_scale_ = display * s.settings.scale;
  const float want = own_scale_ * (big ? lecture_scale(width, height, display) : 1.0f);
  std::string want_look = big ? s.lectern.theme() : s.settings.look();
  if (want != fonts_scale_ || big != slides_ || characters_due()) {
    build_fonts(want, big, own_scale_);
    fonts_scale_ = want;
    slides_ = big;
    settle_ = 3;
    if (scale_ > 0) window_->upload_fonts();
  }
  if (want != scale_ || want_look != look_) {
    set_theme(want_look, want);
    scale_ = want;
    look_ = want_look;
    settle_ = 3;
  }
  window_->set_fullscreen(big && o_.width <= 0);
  // With two screens the lecturer gets the notes on the first by themselves.
  if (s.ui.lecture != in_lecture_ && !deck_file_) {
    in_lecture_ = s.ui.lecture;
    if (in_lecture_ && Window::two_screens()) s.lectern.talk.presenter = true;
  }
}

/// One frame. False: nothing changed in the window.
bool AppLoop::draw() {
  const auto begun = std::chrono::steady_clock::now();
  window_->new_frame();
  if (picture_)
    ImGui::GetIO().MousePos = {-FLT_MAX,
                               -FLT_MAX};  // wherever the pointer happens to be, it is not in the picture
  ImGui::NewFrame();
  ui_->frame();
  ImGui::Render();
  frame_cpu_ms_ = seconds_since(begun) * 1e3;
  const bool changed = window_->render(theme().ground);
  ++frame_;
  if (settle_ > 0) --settle_;
  return changed;
}

/// Writes a deck slide by slide, between frames.
void AppLoop::step_deck_file() {
  if (session_->lectern.exporting.ready && !deck_file_) deck_file_ = std::make_unique<DeckFile>(*session_);
  if (!deck_file_) return;
  if (!deck_file_->step()) deck_file_.reset();
  settle_ = 3;
}

/// The presenter's window: opened, drawn and closed as the session says. `last`: its picture is taken, if
/// wanted.
void AppLoop::draw_notes(bool last) {
  Session& s = *session_;
  if (notes_ && notes_->closing()) s.lectern.talk.presenter = false;
  if (s.ui.lecture && s.lectern.talk.presenter && !notes_) {
    try {
      notes_ = std::make_unique<SecondWindow>(*window_, int(820 * own_scale_), int(560 * own_scale_),
                                              "WarpDojo notes");
    } catch (const Error& e) {
      s.lectern.talk.presenter = false;
      s.toast(e.what(), Tone::bad);
    }
  } else if (notes_ && (!s.ui.lecture || !s.lectern.talk.presenter) && !deck_file_) {
    notes_.reset();
  }
  if (!notes_ || deck_file_) return;
  notes_->set_title("WarpDojo notes " + presenter_page(s).position);
  notes_->draw(theme().panel, [&] {
    const Look slides = look_now();
    set_look(notes_look(own_scale_));
    draw_presenter(s);
    set_look(slides);
  });
  if (!last || o_.notes_screenshot.empty()) return;
  int w, h;
  auto rgb = notes_->pixels(&w, &h);
  write_picture(o_.notes_screenshot, w, h, rgb);
}

/// Notes the frame's times; after the first frame the devices are listed.
void AppLoop::measure(double whole_ms, bool changed) {
  Measured& m = measured();
  if (!told_) {
    told_ = true;
    m.first_frame_ms = seconds_since(start_) * 1e3;
    devices_ = std::async(std::launch::async, [] {
      auto d = list_devices();
      Window::wake();
      return d;
    });
  }
  if (changed) m.frames.push_back({whole_ms, frame_cpu_ms_, busy_, seconds_since(start_)});
  if (m.frames.size() > 20000) m.frames.erase(m.frames.begin(), m.frames.begin() + 10000);
}

}  // namespace dojo::gui
