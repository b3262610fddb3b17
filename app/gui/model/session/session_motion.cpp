// Slow motion: a block is recorded by the worker, then shown from the recording.
#include <algorithm>

#include "core/counters.hpp"
#include "core/text/error_words.hpp"
#include "gui/model/session/session.hpp"
#include "run/verdict/seen_at.hpp"

namespace dojo::gui {

bool Session::motion_stale() const {
  auto it = views_.find(motion_step);
  if (!motion.trace() || motion_reference || it == views_.end()) return false;
  auto& stand_in = it->second->stand_in;
  if (motion_label_ != (stand_in ? stand_in->label : "")) return true;
  return !stand_in && it->second->text.version() != motion_version_;
}

void Session::forget_motion_error() {
  if (motion_error.empty()) return;
  motion_error.clear();
  sampled_step_.clear();
}

bool Session::start_recording() {
  run::RunRequest r;
  r.step = step_->id();
  r.who = motion_reference ? run::Who::reference : run::Who::student;
  r.device = device();
  r.size = size();
  r.gates = false;
  r.trace = motion_ask;
  r.trace.on = true;
  r.trace.names = !quiet_;
  as_program(r);
  if (!motion_reference) r.time_limit_s = time_limit_s(*view(), r);
  // A loop that did not end in the run does not end here: what is kept of it is there in no time.
  constexpr double enough_of_a_loop_s = 2;
  if (const RunReport* last = view()->has_report ? student_run(view()->report) : nullptr;
      last && last->status == Status::timeout && !motion_reference && !view()->stale())
    r.time_limit_s = std::min(r.time_limit_s, enough_of_a_loop_s);
  motion_error.clear();
  std::string label;
  if (auto& in = view()->stand_in; in && !motion_reference) {
    label = in->label;
    r.student_source = in->text;
    r.student_file = catalog_.student_file(*step_).string();
  }
  try {
    active_ = &runner_for(motion_reference ? nullptr : view()->stand_in.get());
    active_->start(r);
  } catch (const std::exception& e) {
    motion_error = error_words(e);
    return false;
  }
  recording_label_ = label;
  running_ = recording_ = true;
  cancelling_ = false;
  running_step_ = step_->id();
  recording_version_ = view()->text.version();
  begin_progress(motion_reference ? "reference" : "student");
  started_ = now_;
  limit_s_ = 0;
  return true;
}

bool Session::record_motion() {
  if (!step_ || refuse_stored()) return false;
  if (running_) {
    toast("A run is going on; Esc cancels it.");
    return false;
  }
  auto* v = view();
  if (!motion_reference && v->text.modified() && !save()) return false;
  ui.motion = true;
  motion_finding = {};
  for_finding_ = quiet_ = false;
  return start_recording();
}

std::string Session::kernel_to_watch(bool reference) const {
  auto it = step_ ? views_.find(step_->id()) : views_.end();
  if (it == views_.end() || !it->second->has_report || step_->picture != "bankmap") return "";
  const StepView& v = *it->second;
  const RunReport* run = reference ? reference_run(v.report) : student_run(v.report);
  if (!run || (!reference && v.stale())) return "";
  for (const LaunchReport& launch : run->launches) {
    RunReport one;
    one.launches = {launch};
    if (total(one, "shared_loads") + total(one, "shared_stores") > 0) return launch.kernel;
  }
  return "";
}

const StepTrace* Session::sample() {
  auto* v = view();
  if (!v || stored()) return nullptr;
  // A slide may be about the reference alone.
  const bool reference = reference_slide();
  if (motion.trace() && motion_step == v->id && !motion_stale() && motion_reference == reference)
    return motion.trace();
  const std::string what = v->id + (reference ? " reference" : "");
  const bool asked = sampled_step_ == what && sampled_version_ == v->text.version();
  // Only of what is saved and ran to its end: a plot never saves the file, and an endless loop is not run
  // again.
  if (auto* r = v->has_report ? student_run(v->report) : nullptr;
      !reference && r && r->status == Status::timeout)
    return nullptr;
  if (running_ || asked || v->text.modified() || !v->has_report || ui.motion) return nullptr;
  if (!reference && !v->stand_in && !v->file_problem.empty()) return nullptr;
  sampled_step_ = what;
  sampled_version_ = v->text.version();
  motion_ask = {};
  motion_ask.kernel = kernel_to_watch(reference);
  motion_reference = reference;
  for_finding_ = false;
  quiet_ = true;
  start_recording();
  return nullptr;
}

void Session::open_motion() {
  if (!step_ || refuse_stored()) return;
  ui.motion = true;
  ui.plots_only = false;
  // A plot's recording has no names of variables.
  if (running_ || (motion.trace() && motion_step == step_->id() && motion_named_)) return;
  // Where something was found, it opens there.
  if (auto* v = view(); v->has_report && !v->stale())
    if (auto* r = student_run(v->report))
      for (auto& d : r->diagnostics)
        if (d.block && !d.kernel.empty()) return open_motion_at(d);
  motion_ask = {};
  motion_ask.kernel = kernel_to_watch(false);
  motion_reference = false;
  record_motion();
}

void Session::open_motion_at(const Diagnostic& d) {
  if (!step_ || running_ || refuse_stored()) return;
  MotionFinding finding{d.message, {}};
  if (d.thread) finding.threads.push_back(*d.thread);
  for (auto& r : d.related)
    if (r.thread && (!r.block || !d.block || *r.block == *d.block)) finding.threads.push_back(*r.thread);
  motion_ask = {};
  motion_ask.kernel = d.kernel;
  if (d.block) {
    motion_ask.by_index = true;
    motion_ask.index = *d.block;
  }
  // Found in the run at the small size: that one is compiled as written.
  motion_ask.small = run::was_seen_small(d);
  for (size_t k = 0; k < step_->also_check.size(); ++k)
    if (run::was_seen_at(d, step_->also_check[k])) motion_ask.also = int(k) + 1;
  motion_reference = false;
  if (!record_motion()) return;
  motion_finding = std::move(finding);
  // Those are found when the time is over, not before.
  for_finding_ = d.kind != FindingKind::time_limit && d.kind != FindingKind::timeout;
  recordings_ = 0;
}

void Session::finish_motion(const run::WorkerEvent& e, bool cancelled) {
  recording_ = false;
  if (cancelled) {
    if (!rerun_ && !quiet_) toast("The recording was cancelled.");
    if (rerun_) sampled_step_.clear();
    return;
  }
  if (e.kind != run::WorkerEvent::report || !e.steps) {
    motion_error =
        e.kind == run::WorkerEvent::died ? "The worker ended without an answer: " + e.text : e.text;
    if (motion_error.empty()) motion_error = "Nothing was recorded.";
    return;
  }
  const StepTrace& t = *e.steps;
  if (!t.reached || t.steps.empty()) {
    motion_error = "The block did not run.";
    for (auto& r : e.report_.runs)
      if (const Diagnostic* d = first_error(r.diagnostics))
        motion_error = (d->where.line ? "Line " + std::to_string(d->where.line) + ": " : "") + d->message;
    if (motion.trace() && motion_step == running_step_) return;
    motion.clear();
    return;
  }
  const size_t keep = motion_step == running_step_ ? motion.at() : 0;
  const bool same = motion.trace() && motion_step == running_step_ && motion.trace()->block == t.block &&
                    motion.trace()->kernel == t.kernel;
  motion_step = running_step_;
  // Only now: where a recording fails, the steps that are shown stay those of the text before.
  motion_version_ = recording_version_, motion_label_ = recording_label_;
  motion.set(e.steps);
  // The same block again, after an edit or with more of it: stay near where it was.
  if (same && t.notes.empty() && t.skip == 0) motion.seek(keep);
  motion_ask.block = t.block;
  motion_ask.by_index = false;
  motion_named_ = !quiet_;
  if (!quiet_) ui.motion = true;
  quiet_ = false;
  // Slow motion was opened while a plot recorded.
  if (ui.motion && !motion_named_ && step_ && step_->id() == running_step_ && !motion_reference) {
    record_motion();
    return;
  }
  if (for_finding_ && t.reached && recordings_ < 12 && step_ && step_->id() == running_step_) {
    ++recordings_;
    // Not in this launch: in a later one of the kernel.
    if (t.notes.empty() && t.ended) {
      ++motion_ask.launch;
      if (start_recording()) return;
    } else if (!t.notes.empty() && t.notes.front().executed >= t.skip + t.most) {
      motion_ask.skip = t.notes.front().executed - motion_ask.most / 2;
      if (start_recording()) return;
    }
  }
}

}  // namespace dojo::gui
