#pragma once
// Records one block of the open step, for slow motion and for plots of single accesses. What it recorded last
// is shown by Session::motion.
#include <memory>
#include <string>
#include <vector>

#include "core/report.hpp"
#include "gui/model/session/step_view.hpp"
#include "run/worker/worker.hpp"

namespace dojo::gui {

class Session;

class BlockRecorder {
 public:
  explicit BlockRecorder(Session& s) : s_(s) {}

  run::TraceAsk ask;       ///< what the next recording is of
  bool reference = false;  ///< of the reference's run
  std::string error;       ///< one line: why there is no recording
  std::string step;        ///< whose recording it is
  /// Of the finding that slow motion was opened from: its words, and its threads in the recorded block.
  struct Finding {
    std::string words;
    std::vector<Dim3> threads;
  };
  Finding finding;

  bool stale() const;  ///< the file changed since
  /// Records `ask` and shows it. False when nothing was started.
  bool record();
  /// Shows slow motion; records first when there is nothing of this step yet.
  void open();
  /// Records the block of a finding and stops there.
  void open_at(const Diagnostic&);
  bool recording() const;
  /// A recording that a plot asked for, not the student: it gives way to a run.
  bool quiet() const { return recording_ && quiet_; }
  /// For plots: the recording of this step if there is a fresh one; else asks for one of block 0 (once for
  /// each text), without showing it.
  const StepTrace* sample();
  /// The kernel that the step is about, where its first launch may be another's: where banks are the step's
  /// picture, the first that uses shared memory. Empty: the first launch.
  std::string kernel_to_watch(bool of_reference) const;

  // Called by Session.
  bool has_run() const { return recording_; }  ///< what ends now is a recording
  void finish(const run::WorkerEvent&, bool cancelled);
  /// Steps that another run recorded, of the step's text as it is.
  void show(const std::string& of_step, bool of_reference, std::shared_ptr<const StepTrace>);
  void forget_error();                             ///< an older run's: plots may record anew
  void forget_sample() { sampled_step_.clear(); }  ///< plots may record this text again
  /// Plots do not record this text: its run may never end.
  void leave_out(const std::string& of_step, uint64_t version) {
    sampled_step_ = of_step, sampled_version_ = version;
  }

 private:
  bool start();

  Session& s_;
  bool recording_ = false;
  bool for_finding_ = false;  ///< records on, up to `finding`
  bool quiet_ = false;        ///< a plot asked, not the student
  bool named_ = false;        ///< the recording knows which register holds which variable
  std::string sampled_step_;  ///< the last quiet recording was of this step and text
  uint64_t sampled_version_ = 0;
  int recordings_ = 0;                   ///< further ones made for `finding`
  uint64_t version_ = 0;                 ///< of the text whose steps are shown
  uint64_t recording_version_ = 0;       ///< of the text that is being recorded, or was at last
  std::string label_, recording_label_;  ///< of the stand-in that is shown, that is recorded; empty: none
};

}  // namespace dojo::gui
