#pragma once
// A lecture: its deck on the screen, what its slides need run, and the deck on its way into a file. A lecture
// has views of its own: nothing that runs for the room is a student's.
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/report.hpp"
#include "gui/model/session/jobs.hpp"
#include "gui/model/session/step_view.hpp"
#include "gui/model/session/ui_state.hpp"
#include "gui/model/slow_motion.hpp"
#include "gui/model/teaching/lecture.hpp"

namespace dojo::gui {

class Session;

/// A deck on its way into a file. The runs come first, as a line of jobs; the window (or the command line)
/// draws then.
struct DeckExport {
  std::filesystem::path file;
  bool pdf = false, ready = false;  ///< ready: the runs are there, it may be drawn
  bool beside = false;              ///< while it is drawn: the student's side was set aside for it
  Deck deck;
  std::map<size_t, std::shared_ptr<const StepTrace>> traces;  ///< of slides with slow motion
  std::vector<std::string> problems;                          ///< slides whose runs failed, and why
  StepViews views;                                            ///< of the deck's runs: not the student's
};

class Lectern {
 public:
  explicit Lectern(Session& s) : s_(s) {}

  Lecture talk;
  DeckExport exporting;

  /// Opens a deck, or the open lab's own one (assets/lectures/LAB.toml, else one made of its steps).
  bool open(const std::string& file = {});
  void close();
  /// The lecture, or the deck that is drawn, has the views.
  bool on() const { return student_.on; }
  /// Runs what the slides of the open deck (or of the lab's own) need, then asks for the file to be drawn:
  /// HTML, or PDF when it ends in .pdf. An empty file: into the data folder (or the current one). False when
  /// nothing was started.
  bool write_file(std::filesystem::path file, bool pdf = false);
  /// The window's state is the deck's while it is drawn into a file.
  void begin_file();
  void end_file();
  /// The open slide shows a reference's source or steps, and this student may not see them yet.
  bool locked() const;
  /// Brings the slide's step up; runs what it needs, when there is nothing to show yet.
  void show();
  /// Runs the slide's step again.
  void rerun();
  /// show() once more, when it was put off for a run that has ended since.
  void show_when_free();
  /// The recording of a slide's block in the motion view, at the slide's stop.
  void show_trace(const Slide&, std::shared_ptr<const StepTrace>);
  /// Where a deck's runs come from: its recording, else the device in use.
  std::string device() const;  ///< of the open step; the recording's where the deck names one
  std::string device(const Step*) const;
  /// The run that stands beside the open slide's (Slide::against), or null.
  const RunReport* against();
  /// A slide is shown that is about the reference alone.
  bool shows_reference() const;
  std::string theme() const;

 private:
  struct DeckViews;  ///< makes the deck's views current for a while
  /// The student's side of the window while a lecture, or a deck on its way into a file, has it.
  struct Aside {
    bool on = false;
    StepViews views;
    std::string step, plot, motion_step;
    UiState ui;
    SlowMotion motion;
    bool motion_reference = false;
  };
  void set_student_aside();
  void bring_student_back();
  /// The lab's own deck (assets/lectures/LAB.toml), else one made of its steps. Throws Error.
  Deck deck_of(const Lab&) const;
  /// What a slide needs run and that is not there yet; `again`: all of it. `traced` takes its slow motion.
  std::vector<Job> jobs_of(const Slide&, bool again,
                           std::function<void(std::shared_ptr<const StepTrace>)> traced);

  void run_slide(const Slide&, bool again);

  Session& s_;
  Aside student_;
  bool again_ = false;  ///< the slide is to be shown when the run before it has ended
};

}  // namespace dojo::gui
