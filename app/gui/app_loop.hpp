#pragma once
// The app's loop of frames: what it waits for, what it draws, and which pictures it takes on the way.
#include <chrono>
#include <deque>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gui/app.hpp"
#include "gui/deck_file.hpp"
#include "gui/model/session/session.hpp"
#include "gui/panels/ui.hpp"
#include "gui/window.hpp"

namespace dojo::gui {

/// The app from its first frame to its last. ImGui's context is made before and outlives it.
class AppLoop {
 public:
  AppLoop(const GuiOptions&, const Places&, std::chrono::steady_clock::time_point start);
  /// Exit status.
  int run();

 private:
  void set_up_session();
  void open_first();
  void loop();
  bool ends();
  void wait_for_events();
  void run_wanted_commands();
  void take_devices();
  void fit_fonts_and_theme();
  bool draw();
  void take_screenshot();
  void save_card_picture();
  void save_plot_picture();
  void step_deck_file();
  void draw_notes(bool last);
  void measure(double whole_ms, bool changed);
  void keep_window_size();

  const GuiOptions& o_;
  const Places& places_;
  const std::chrono::steady_clock::time_point start_;
  std::string kept_problem_;  ///< of the settings' file; before `kept_`, whose reading writes it
  const Settings kept_;
  float fonts_scale_;  ///< of the fonts that are built: most displays have a scale of one
  std::optional<Window> window_;
  std::future<void> fonts_made_;
  std::unique_ptr<Session> session_;
  /// The list of devices may wait for a driver, and reads all recordings: it comes after the first frame,
  /// when it is there.
  std::future<std::vector<DeviceInfo>> devices_;
  bool devices_known_ = false;
  std::unique_ptr<Ui> ui_;
  std::unique_ptr<SecondWindow> notes_;
  std::unique_ptr<DeckFile> deck_file_;
  std::deque<std::string> wanted_;  ///< commands that are still to be run
  bool picture_;                    ///< a screenshot is to be taken: then the app ends
  bool taken_;
  bool in_lecture_ = false;
  bool slides_ = false;  ///< the fonts of lectures are built
  float scale_ = 0;      ///< of the theme that is set, with look_
  float own_scale_ = 1;  ///< without what a lecture adds
  std::string look_;
  int frame_ = 0;
  int settle_ = 3;  ///< frames to draw before the loop may sleep: after each event ImGui needs a few
  int calm_ = 0;    ///< frames with nothing under way
  bool busy_ = false, busy_now_ = false;  ///< before and after the wait: a run goes on; or anything does
  bool told_ = false;                     ///< the first frame's time is measured
  double frame_cpu_ms_ = 0;
  std::chrono::steady_clock::time_point last_frame_;
};

/// Writes a picture of the window's pixels; throws Error where that fails.
void write_picture(const fs::path& file, int w, int h, const std::vector<unsigned char>& rgb);

inline double seconds_since(std::chrono::steady_clock::time_point t) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count();
}

}  // namespace dojo::gui
