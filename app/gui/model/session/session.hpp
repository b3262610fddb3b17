#pragma once
// Everything the window shows and does, without a window: the open step, its file and text, the run in
// progress, the last reports, what is kept between starts. The panels only draw this and call it.
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "core/labs/glossary.hpp"
#include "core/labs/lab.hpp"
#include "core/report.hpp"
#include "gui/model/commands.hpp"
#include "gui/model/session/block_recorder.hpp"
#include "gui/model/session/drafts.hpp"
#include "gui/model/session/grading_desk.hpp"
#include "gui/model/session/job_queue.hpp"
#include "gui/model/session/lab_run.hpp"
#include "gui/model/session/lectern.hpp"
#include "gui/model/session/runner.hpp"
#include "gui/model/session/step_view.hpp"
#include "gui/model/session/store.hpp"
#include "gui/model/session/sweep.hpp"
#include "gui/model/session/ui_state.hpp"
#include "gui/model/slow_motion.hpp"
#include "gui/model/teaching/instructor.hpp"
#include "gui/model/text/line_heat.hpp"
#include "gui/model/text/markdown.hpp"
#include "gui/model/text/text_buffer.hpp"
#include "gui/model/verdict.hpp"
#include "gui/plot/decimate.hpp"
#include "run/advice.hpp"
#include "run/student/file_watch.hpp"

namespace dojo::gui {

/// Where things are kept. Empty folders: nothing is kept (tests, a read-only home).
struct Places {
  fs::path config, data;
  /// Text can be typed: where no draft keeps it, as in a read-only home, the window asks before it closes.
  bool someone_types = false;
};

/// A short note at the foot of the window.
struct Toast {
  std::string text;
  Tone tone = Tone::neutral;
  double until = 0;
};

class Session {
 public:
  Session(Catalog, std::unique_ptr<Runner>, Places, std::vector<DeviceInfo> devices = {},
          std::function<void()> wake = {});
  ~Session();

  // The catalog and the open step.
  const Catalog& catalog() const { return catalog_; }
  const Glossary& glossary() const { return glossary_; }
  const History& history() const { return history_; }
  void reload_catalog();
  /// Opens by anything Catalog::find takes. False (and a toast) when there is no such step.
  bool open(const std::string& step);
  /// Opens a student's own program by its path (or the step whose file it is). False, and a toast, when it is
  /// none.
  bool open_program(const std::string& path);
  /// Opens a report that --json saved, as if it had just run; nothing runs there. False, and a toast, when it
  /// is none.
  bool open_report(const std::string& path);
  /// A file that was named or dropped: a program, a report, or submissions, by its ending.
  bool open_file(const std::string& path);
  /// Whether the open step is a stored report, which can't run.
  bool stored() const;
  /// Writes the result's page into the data folder and asks for its picture (ui.card). False: no folder.
  bool save_card();
  fs::path card_picture;               ///< where the picture of the result card is to go
  std::vector<std::string> card_head;  ///< its title, and its step, device, size and date
  void add_kept_programs();            ///< those that were open before
  const Step* step() const { return step_; }
  const Lab* lab() const { return step_ ? &catalog_.lab_of(*step_) : nullptr; }
  StepView* view();  ///< of the open step, or null
  StepView* view_of(const std::string& id);
  const Step* next_step() const;  ///< after the open one, over labs; null at the end
  const Step* previous_step() const;
  bool solved_or_instructor() const;  ///< the reference may be shown

  // Devices and sizes.
  const std::vector<DeviceInfo>& devices() const { return devices_; }
  void set_devices(std::vector<DeviceInfo> d) { devices_ = std::move(d); }
  std::string device() const;             ///< in use: chosen, else the open step's own
  std::string device(const Step*) const;  ///< the same for another step
  void choose_device(const std::string& name);
  Size size() const;
  void choose_size(const Size&);
  const DeviceInfo* device_info() const;

  // Running.
  /// Saves, asks for the prediction if there is one to make, then starts. False when nothing was started.
  bool run(bool ask_prediction = true);
  /// Runs what was saved just now; a run that goes on is of an older text and ends first.
  void run_saved();
  void cancel();
  bool running() const { return running_; }
  bool cancelling() const { return cancelling_; }
  const run::Progress& progress() const { return at_; }
  /// 0..1 over student and reference. A run makes inputs and runs both at several sizes: the share never gets
  /// less until it has ended.
  double overall_progress() const { return share_; }
  double run_seconds() const { return now_ - started_; }
  /// Seconds of computing after which the student's run that is going on is stopped; 0: it has no such limit.
  double run_limit_s() const { return running_ ? limit_s_ : 0; }
  /// ", stops after 6 s of processor time": while the student's kernel runs for longer than a moment; else
  /// empty.
  std::string limit_text() const;
  std::string running_step() const { return running_ ? running_step_ : ""; }
  bool awaiting_prediction() const;
  void predict(const std::string& typed);  ///< and runs
  void skip_prediction();                  ///< and runs
  /// The step's curve, or eleven sizes. `tiers`: the references of the lab's other steps on the same axes,
  /// too.
  void start_sweep(bool tiers = false);
  const Sweep& sweep() const { return sweep_; }
  /// Would the curve tell the answer of a prediction that is still open?
  bool sweep_answers() const;

  // The file.
  bool save();
  void edit_done();  ///< the editor changed the text: marks and heat keep their lines
  void take_disk();  ///< takes what is on the disk; edits here go to the history, as keep_mine() does with
                     ///< the other version
  void keep_mine();
  void compare_with_disk();            ///< asks which version stays
  bool restore_text(const PastRun&);   ///< puts an earlier text into the editor
  bool reset();                        ///< the file as it was; the old one is kept beside the settings
  std::string editor_command() const;  ///< what "open in my editor" starts
  bool open_in_editor();
  void choose_heat(const std::string& key);
  /// The key of the plot that is shown: the chosen one, else the step's own picture.
  std::string plot() const;
  void choose_plot(const std::string& key);

  // Learning.
  int hints_shown() const;
  void show_hint();
  StepState state_of(const std::string& id) const { return kept_.of(id).state; }
  const StepProgress& progress_of(const std::string& id) const { return kept_.of(id); }
  double lab_share(const Lab&) const;  ///< passed steps / all

  // Slow motion.
  SlowMotion motion;
  BlockRecorder recorder{*this};

  // The code under the source (session_code.cpp).
  /// Makes the worker that lists code; without one there is none.
  void set_lister(std::function<std::unique_ptr<Runner>()> make) { make_lister_ = std::move(make); }
  /// What the open step's text compiles to: asks for it when that is not known or of another text. Null: no
  /// step.
  const CodeUnder* code_under(bool reference);
  bool listing() const { return listing_ != nullptr; }

  /// A deck on the screen, or on its way into a file.
  Lectern lectern{*this};

  /// Is the last report that of the open file, not of one in the place of the student's?
  bool shows_own_run();
  /// Whose run the last report is: "You", on slides "Student's file", or the label of the file that ran in
  /// the student's place ("ada").
  std::string student_name();

  // Several runs in a line, and instructors' work (session_jobs.cpp).
  JobQueue jobs{*this};
  /// 0..1 of all that is under way: a run, a sweep, a line of jobs.
  double work_share() const;
  void set_instructor(bool);
  /// What may run in the place of the open step's file.
  const std::vector<StandIn>& stand_ins();
  void choose_stand_in(std::shared_ptr<const StandIn>);
  LabRun lab_run{*this};
  GradingDesk desk;

  /// Once a frame or whenever events came: polls the worker and the file, saves what is due. Returns true
  /// when something changed that must be drawn.
  bool tick(double now);
  /// Seconds until tick() has something to do by itself; large when idle.
  double next_tick() const;
  void save_now();

  void toast(const std::string& text, Tone = Tone::neutral);
  /// Text that is neither saved nor kept in a draft, once more tried: it would be lost with the window.
  std::vector<StepView*> unkept();
  /// May the window close now? Where text would be lost: no, and the card that asks opens.
  bool may_close();
  /// Writes a view's text to a path. Empty on success, else what went wrong; a file of its own that another
  /// program changed meanwhile stays as it is.
  std::string save_copy(StepView&, const std::string& path);
  /// The view's text may be lost: the user said so.
  void give_up(StepView& v) { v.text.mark_saved(), v.draft_problem.clear(); }
  const std::deque<Toast>& toasts() const { return toasts_; }

  Settings settings;
  void settings_changed() { settings_due_ = now_ + 0.5; }
  UiState ui;
  CommandTable commands;
  bool instructor = false;
  double now() const { return now_; }

 private:
  // The parts of the session in headers of their own: they start runs and read the views.
  friend class BlockRecorder;
  friend class GradingDesk;
  friend class JobQueue;
  friend class LabRun;
  friend class Lectern;
  // session_file.cpp
  void load_text(StepView&, bool keep_caret);
  void restore_draft(StepView&);
  void keep_drafts(bool at_once);  ///< of every text with unsaved edits
  void keep_text(StepView&, const std::string& text, const std::string& note);
  bool restore_file(StepView&);  ///< writes a deleted file again; false (and a toast) when that can't be
  bool tick_file();
  void show_last_run(StepView&);  ///< of an earlier start
  /// What follows from a view's report; `source` is the student's file that ran, empty when another did.
  void derive(StepView&, const std::string& source);
  void finish(const run::WorkerEvent&);
  void take_report(StepView&, const Report&);
  /// A run without a prediction whose counters hold the answer: brief and gates show it, so the question is
  /// over.
  void close_answered(const StepView&);
  void start_request(const Size&, const std::string& tier = {});
  /// `runner` carries out the request from now on. Throws where it can't be started.
  void start_on(Runner& runner, const run::RunRequest&, const std::string& step, const std::string& who);
  void begin_progress(const std::string& who);
  void take_progress(const run::Progress&);
  bool refuse_stored();                     ///< true, and a toast, where a stored report is open
  bool refuse_running();                    ///< true, and a toast, while a run goes on
  void as_program(run::RunRequest&) const;  ///< when the open step is a program of the student's own
  std::string last_hint_of_;                ///< the step whose last hint was asked for once
  void take_sweep(const run::WorkerEvent&);
  void stop_sweep(const std::string& why);
  void lose_sweep(const std::string& how);
  void refresh_lines(StepView&);
  void next_sweep_point();
  bool tick_listing();
  StepView& make_view(const Step&);
  void stand_in(StepView&, std::shared_ptr<const StandIn>);

  Catalog catalog_;
  Glossary glossary_;
  std::unique_ptr<Runner> runner_;
  Runner* active_ = nullptr;  ///< carries out what is running
  Places places_;
  std::vector<DeviceInfo> devices_;
  run::StudentProgress kept_;
  History history_;
  Drafts drafts_;
  double draft_due_ = 0;
  StepViews views_;
  const Step* step_ = nullptr;
  run::FileWatch watch_;
  bool running_ = false, cancelling_ = false, rerun_ = false;
  bool settings_lost_ = false;                ///< said once
  bool keep_nothing_ = false;                 ///< what runs is for a slide: no progress, no history
  std::string running_step_, running_label_;  ///< the label of the stand-in that runs
  uint64_t running_version_ = 0;
  std::string running_text_;
  run::Progress at_;
  double share_ = 0;
  double now_ = 0, started_ = 0, limit_s_ = 0, settings_due_ = 0, progress_due_ = 0;
  Sweep sweep_;
  std::vector<StandIn> stand_ins_;
  std::string stand_ins_of_;
  Runner& runner_for(const StandIn*);  ///< throws Error when it can't be had (yet)
  double time_limit_s(const StepView&, const run::RunRequest&) const;
  std::deque<Toast> toasts_;
  std::function<std::unique_ptr<Runner>()> make_lister_;
  std::unique_ptr<Runner> lister_;
  CodeUnder* listing_ = nullptr;  ///< what the lister works on
  std::string listing_step_;
};

/// Fills the table with every command of the app.
void add_commands(Session&);

}  // namespace dojo::gui
