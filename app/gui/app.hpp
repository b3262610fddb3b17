#pragma once
// The desktop app.
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace dojo::gui {

class Runner;
class Submissions;

struct GuiOptions {
  std::filesystem::path root;  ///< with labs/; empty: find_root()
  std::string step;            ///< opened at start, a step, lab, program or report; empty: the last one, else
                               ///< reduce's first
  bool instructor = false;
  std::string submissions;  ///< a folder of submissions to open
  std::string course;       ///< their course.toml; empty: every step
  std::string lecture;      ///< a deck (TOML) to start in lecture mode
  // For tests and pictures:
  std::filesystem::path
      screenshot;  ///< PNG of the whole window, taken when `commands` and all runs have ended; then it ends
  std::filesystem::path notes_screenshot;  ///< the same of the presenter's window
  int frames =
      0;  ///< ends after that many frames, at the earliest; 0: when the person quits, or with the picture
  double seconds = 0;         ///< ends after that long; 0: no limit
  int width = 0, height = 0;  ///< of the window; 0: as last time
  float scale = 0;            ///< 0: the display's own
  std::string theme;          ///< overrides the kept one for this start
  /// Ids of commands to run at start, separated by commas ("run.run,view.source"); each waits for the run
  /// that the one before it started. An unknown one, or one that can't be used then, ends the app with
  /// status 2. "help" lists them.
  std::string commands;
  bool rerun = false;                               ///< starts the step's run again whenever it has ended
  std::function<void()> after_pass;                 ///< called when the loop has taken up events and drawn
  bool keep_nothing = false;                        ///< no settings, progress or history are read or written
  std::function<std::unique_ptr<Runner>()> runner;  ///< in the worker's place
  std::function<std::unique_ptr<Submissions>(std::function<void()> wake)> grader;  ///< in the grader's place
};

/// Opens the window and runs until it is closed. Returns the exit status: 0, or 2 with a line on standard
/// error when no window can be opened.
int run_app(const GuiOptions&);

}  // namespace dojo::gui
