#include "gui/model/session/block_recorder.hpp"

#include <algorithm>

#include "core/counters.hpp"
#include "core/text/error_words.hpp"
#include "gui/model/session/session.hpp"
#include "run/verdict/seen_at.hpp"

namespace dojo::gui {

bool BlockRecorder::stale() const {
  auto it = s_.views_.find(step);
  if (!s_.motion.trace() || reference || it == s_.views_.end()) return false;
  auto& stand_in = it->second->stand_in;
  if (label_ != (stand_in ? stand_in->label : "")) return true;
  return !stand_in && it->second->text.version() != version_;
}

void BlockRecorder::forget_error() {
  if (error.empty()) return;
  error.clear();
  forget_sample();
}

bool BlockRecorder::recording() const { return s_.running_ && recording_; }

void BlockRecorder::show(const std::string& of_step, bool of_reference,
                         std::shared_ptr<const StepTrace> steps) {
  s_.motion.set(std::move(steps));
  step = of_step;
  reference = of_reference;
  error.clear();
  forget_sample();  // a map may want a block of its own again
  if (const StepView* v = s_.view_of(step))
    version_ = v->text.version(), label_ = v->stand_in ? v->stand_in->label : "";
}

bool BlockRecorder::start() {
  run::RunRequest r;
  r.step = s_.step_->id();
  r.who = reference ? run::Who::reference : run::Who::student;
  r.device = s_.device();
  r.size = s_.size();
  r.gates = false;
  r.trace = ask;
  r.trace.on = true;
  r.trace.names = !quiet_;
  s_.as_program(r);
  if (!reference) r.time_limit_s = s_.time_limit_s(*s_.view(), r);
  // A loop that did not end in the run does not end here: what is kept of it is there in no time.
  constexpr double enough_of_a_loop_s = 2;
  if (const RunReport* last = s_.view()->has_report ? student_run(s_.view()->report) : nullptr;
      last && last->status == Status::timeout && !reference && !s_.view()->stale())
    r.time_limit_s = std::min(r.time_limit_s, enough_of_a_loop_s);
  error.clear();
  std::string label;
  if (auto& in = s_.view()->stand_in; in && !reference) {
    label = in->label;
    r.student_source = in->text;
    r.student_file = s_.catalog_.student_file(*s_.step_).string();
  }
  try {
    s_.start_on(s_.runner_for(reference ? nullptr : s_.view()->stand_in.get()), r, r.step,
                reference ? "reference" : "student");
  } catch (const std::exception& e) {
    error = error_words(e);
    return false;
  }
  recording_label_ = label;
  recording_ = true;
  recording_version_ = s_.view()->text.version();
  s_.limit_s_ = 0;
  return true;
}

bool BlockRecorder::record() {
  if (!s_.step_ || s_.refuse_stored()) return false;
  if (s_.refuse_running()) return false;
  auto* v = s_.view();
  if (!reference && v->text.modified() && !s_.save()) return false;
  s_.ui.motion = true;
  finding = {};
  for_finding_ = quiet_ = false;
  return start();
}

std::string BlockRecorder::kernel_to_watch(bool of_reference) const {
  auto it = s_.step_ ? s_.views_.find(s_.step_->id()) : s_.views_.end();
  if (it == s_.views_.end() || !it->second->has_report || s_.step_->picture != "bankmap") return "";
  const StepView& v = *it->second;
  const RunReport* run = of_reference ? reference_run(v.report) : student_run(v.report);
  if (!run || (!of_reference && v.stale())) return "";
  for (const LaunchReport& launch : run->launches) {
    RunReport one;
    one.launches = {launch};
    if (total(one, "shared_loads") + total(one, "shared_stores") > 0) return launch.kernel;
  }
  return "";
}

const StepTrace* BlockRecorder::sample() {
  auto* v = s_.view();
  if (!v || s_.stored()) return nullptr;
  // A slide may be about the reference alone.
  const bool of_reference = s_.lectern.shows_reference();
  if (s_.motion.trace() && step == v->id && !stale() && reference == of_reference) return s_.motion.trace();
  const std::string what = v->id + (of_reference ? " reference" : "");
  const bool asked = sampled_step_ == what && sampled_version_ == v->text.version();
  // Only of what is saved and ran to its end: a plot never saves the file, and an endless loop is not run
  // again.
  if (auto* r = v->has_report ? student_run(v->report) : nullptr;
      !of_reference && r && r->status == Status::timeout)
    return nullptr;
  if (s_.running_ || asked || v->text.modified() || !v->has_report || s_.ui.motion) return nullptr;
  if (!of_reference && !v->stand_in && !v->file_problem.empty()) return nullptr;
  sampled_step_ = what;
  sampled_version_ = v->text.version();
  ask = {};
  ask.kernel = kernel_to_watch(of_reference);
  reference = of_reference;
  for_finding_ = false;
  quiet_ = true;
  start();
  return nullptr;
}

void BlockRecorder::open() {
  if (!s_.step_ || s_.refuse_stored()) return;
  s_.ui.motion = true;
  s_.ui.plots_only = false;
  // A plot's recording has no names of variables.
  if (s_.running_ || (s_.motion.trace() && step == s_.step_->id() && named_)) return;
  // Where something was found, it opens there.
  if (auto* v = s_.view(); v->has_report && !v->stale())
    if (auto* r = student_run(v->report))
      for (auto& d : r->diagnostics)
        if (d.block && !d.kernel.empty()) return open_at(d);
  ask = {};
  ask.kernel = kernel_to_watch(false);
  reference = false;
  record();
}

void BlockRecorder::open_at(const Diagnostic& d) {
  if (!s_.step_ || s_.running_ || s_.refuse_stored()) return;
  Finding found{d.message, {}};
  if (d.thread) found.threads.push_back(*d.thread);
  for (auto& r : d.related)
    if (r.thread && (!r.block || !d.block || *r.block == *d.block)) found.threads.push_back(*r.thread);
  ask = {};
  ask.kernel = d.kernel;
  if (d.block) {
    ask.by_index = true;
    ask.index = *d.block;
  }
  // Found in the run at the small size: that one is compiled as written.
  ask.small = run::was_seen_small(d);
  for (size_t k = 0; k < s_.step_->also_check.size(); ++k)
    if (run::was_seen_at(d, s_.step_->also_check[k])) ask.also = int(k) + 1;
  reference = false;
  if (!record()) return;
  finding = std::move(found);
  // Those are found when the time is over, not before.
  for_finding_ = d.kind != FindingKind::time_limit && d.kind != FindingKind::timeout;
  recordings_ = 0;
}

void BlockRecorder::finish(const run::WorkerEvent& e, bool cancelled) {
  recording_ = false;
  if (cancelled) {
    if (!s_.rerun_ && !quiet_) s_.toast("The recording was cancelled.");
    if (s_.rerun_) forget_sample();
    return;
  }
  if (e.kind != run::WorkerEvent::report || !e.steps) {
    error = e.kind == run::WorkerEvent::died ? "The worker ended without an answer: " + e.text : e.text;
    if (error.empty()) error = "Nothing was recorded.";
    return;
  }
  const StepTrace& t = *e.steps;
  if (!t.reached || t.steps.empty()) {
    error = "The block did not run.";
    for (auto& r : e.report_.runs)
      if (const Diagnostic* d = first_error(r.diagnostics))
        error = (d->where.line ? "Line " + std::to_string(d->where.line) + ": " : "") + d->message;
    if (s_.motion.trace() && step == s_.running_step_) return;
    s_.motion.clear();
    return;
  }
  const size_t keep = step == s_.running_step_ ? s_.motion.at() : 0;
  const bool same = s_.motion.trace() && step == s_.running_step_ && s_.motion.trace()->block == t.block &&
                    s_.motion.trace()->kernel == t.kernel;
  step = s_.running_step_;
  // Only now: where a recording fails, the steps that are shown stay those of the text before.
  version_ = recording_version_, label_ = recording_label_;
  s_.motion.set(e.steps);
  // The same block again, after an edit or with more of it: stay near where it was.
  if (same && t.notes.empty() && t.skip == 0) s_.motion.seek(keep);
  ask.block = t.block;
  ask.by_index = false;
  named_ = !quiet_;
  if (!quiet_) s_.ui.motion = true;
  quiet_ = false;
  // Slow motion was opened while a plot recorded.
  if (s_.ui.motion && !named_ && s_.step_ && s_.step_->id() == s_.running_step_ && !reference) {
    record();
    return;
  }
  if (for_finding_ && t.reached && recordings_ < 12 && s_.step_ && s_.step_->id() == s_.running_step_) {
    ++recordings_;
    // Not in this launch: in a later one of the kernel.
    if (t.notes.empty() && t.ended) {
      ++ask.launch;
      if (start()) return;
    } else if (!t.notes.empty() && t.notes.front().executed >= t.skip + t.most) {
      ask.skip = t.notes.front().executed - ask.most / 2;
      if (start()) return;
    }
  }
}

}  // namespace dojo::gui
