// Runs: asking for them, their progress, what becomes of their reports.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/text/error_words.hpp"
#include "gui/model/session/session.hpp"
#include "gui/model/text/brief.hpp"
#include "gui/model/text/step_title.hpp"
#include "gui/result_card.hpp"
#include "run/own_program.hpp"
#include "run/stored/stored_report.hpp"
#include "run/student/originals.hpp"

namespace dojo::gui {

namespace {
/// What happened and what to do, when the child process that runs the kernels is gone.
std::string worker_died(const std::string& how) {
  return "The worker, the process that runs the kernels, is gone" + (how.empty() ? "" : ": " + how) +
         ". Your file and your progress are as they were. Press F5 to run again: that starts a new one.";
}
}  // namespace

bool Session::awaiting_prediction() const {
  if (!step_ || step_->prediction.question.empty() || instructor || ui.lecture) return false;
  auto& p = kept_.of(step_->id());
  return p.prediction.empty() && !p.prediction_skipped;
}

bool Session::sweep_answers() const {
  return awaiting_prediction() && !step_->curve.y.empty() && step_->curve.y == step_->prediction.counter;
}

bool Session::run(bool ask_prediction) {
  if (!step_) return false;
  if (ui.lecture) {
    lectern.rerun();
    return running_;
  }
  if (refuse_stored()) return false;
  if (recorder.quiet() && !cancelling_) {
    // The question first; then a plot's recording gives way.
    if (ask_prediction && awaiting_prediction()) {
      ui.open(Overlay::predict);
      return false;
    }
    active_->cancel();
    cancelling_ = rerun_ = true;
    return true;
  }
  auto* v = view();
  // A deleted file is back at once; the run that goes on is of its older text.
  if (running_ && !v->stand_in && !v->file_problem.empty()) {
    if (!restore_file(*v)) return false;
    run_saved();
    return true;
  }
  if (refuse_running()) return false;
  if (!v->loaded) load_text(*v, false);
  std::error_code ec;
  if (!v->stand_in && (!v->file_problem.empty() || !fs::exists(catalog_.student_file(*step_), ec)) &&
      !restore_file(*v))
    return false;
  if (v->text.modified() && !save()) return false;
  if (ask_prediction && awaiting_prediction()) {
    ui.open(Overlay::predict);
    return false;
  }
  keep_nothing_ = ui.lecture;
  ui.close(Overlay::predict);  // a save from elsewhere runs while the card asks: the brief goes on asking
  start_request(size());
  return running_;
}

void Session::run_saved() {
  if (running_)
    rerun_ = true;  // tick() ends the run of the older text first
  else
    run(false);
}

bool Session::refuse_running() {
  if (!running_) return false;
  toast("A run is going on; Esc cancels it.");
  return true;
}

bool Session::save_card() {
  auto* v = view();
  if (!v || !v->has_report) return false;
  const std::string when = now_text(), name = as_file_name(v->id + " " + when);
  const fs::path folder = places_.data.empty() ? fs::path(".") : places_.data / "cards";
  card_picture = folder / (name + ".png");
  const Step& step = catalog_.find(v->id);
  const Lab& lab = catalog_.lab_of(step);
  const std::string title = (run::is_program(step) ? "" : lab.title + " · ") + step_title(lab, step);
  card_head = {title, card_facts(step, v->report, when)};
  const std::string page =
      result_card(step, v->report, {title, student_name(), when, card_picture.filename().string()});
  if (const std::string problem = replace_file(folder / (name + ".html"), page); !problem.empty()) {
    toast(problem, Tone::bad);
    return false;
  }
  ui.card = true;
  return true;
}

void Session::as_program(run::RunRequest& r) const {
  if (!step_ || !run::is_program(*step_)) return;
  r.program = true;
  r.who = run::Who::student;
  r.size.clear();
  r.student_file = catalog_.student_file(*step_).string();
}

bool Session::open_program(const std::string& path) {
  std::string id = step_ ? step_->id() : "";
  try {
    std::error_code ec;
    if (!fs::exists(path, ec)) throw Error("There is no file " + path + ".");
    if (fs::exists(path, ec) && !fs::is_regular_file(path, ec))
      throw Error(path + " is not a file. Open a CUDA program, or a folder of submissions.");
    if (const std::string words = too_long_to_edit(path); !words.empty()) throw Error(words);
    const std::string step = run::names_program(catalog_, path) ? run::open_program(catalog_, path).id()
                                                                : catalog_.find(path).id();
    // Its program is among the labs now: the open step may have moved.
    if (!id.empty()) step_ = &catalog_.find(id);
    auto& kept = settings.programs;
    const std::string file = fs::absolute(path).lexically_normal().string();
    if (run::is_program(catalog_.find(step))) {
      std::erase(kept, file);
      kept.push_back(file);
      if (kept.size() > 6) kept.erase(kept.begin());
    }
    if (!open(step)) return false;
    ui.tab = UiState::Tab::source;
    settings_changed();
    return true;
  } catch (const std::exception& e) {
    toast(fs::path(path).extension() == ".cu" ? error_words(e)
                                              : path + " is no .cu file. Open a CUDA program or a folder.",
          Tone::bad);
    return false;
  }
}

void Session::add_kept_programs() {
  for (auto& file : settings.programs)
    if (run::names_program(catalog_, file) && too_long_to_edit(file).empty())
      run::open_program(catalog_, file);
  if (step_ && !settings.step.empty()) step_ = &catalog_.find(step_->id());
}

/// An endless loop should end while its author still looks. Twenty times what the reference took here is
/// enough for a student's file that ends at all. Before anything is known, the sizes that steps come with
/// decide: references take at most about two seconds of computing there.
double Session::time_limit_s(const StepView& v, const run::RunRequest& r) const {
  constexpr double least = 6;
  if (r.program) return r.time_limit_s;
  if (const RunReport* known = v.has_report ? reference_run(v.report) : nullptr;
      known && known->wall_ms > 0 && v.report.size == r.size && v.report.device.name == r.device)
    return std::clamp(20 * known->wall_ms / 1000, least, r.time_limit_s);
  const bool as_it_comes = r.size.empty() || r.size == step_->size;
  return as_it_comes && r.device.starts_with("simt:") ? least : r.time_limit_s;
}

void Session::start_request(const Size& size, const std::string& tier) {
  run::RunRequest r;
  r.step = tier.empty() ? step_->id() : tier;
  r.who = tier.empty() ? run::Who::both : run::Who::reference;
  r.device = device();
  r.size = size;
  r.lines = true;
  r.blocks = !sweep_.running;
  r.gates = !sweep_.running;
  as_program(r);
  auto* v = view();
  if (tier.empty()) r.time_limit_s = time_limit_s(*v, r);
  running_label_.clear();
  if (v->stand_in && tier.empty()) {
    running_label_ = v->stand_in->label;
    r.student_source = v->stand_in->text;
    if (v->stand_in->missing) {
      v->error = v->stand_in->words;
      return;
    }
    r.student_file = catalog_.student_file(*step_).string();
  }
  v->error.clear();
  if (v->stale()) v->marks.clear();  // of a text that is there no more
  try {
    start_on(runner_for(tier.empty() ? v->stand_in.get() : nullptr), r, v->id, "student");
  } catch (const std::exception& e) {
    v->error = error_words(e) +
               ". Press F5 to try again; if it stays so, the program's file may be damaged: build it anew "
               "with ./warpdojo.";
    toast(error_words(e), Tone::bad);
    sweep_.running = false;
    return;
  }
  limit_s_ = tier.empty() ? r.time_limit_s : 0;
  running_version_ = v->text.version();
  running_text_ = v->text.text();
}

void Session::start_on(Runner& runner, const run::RunRequest& r, const std::string& step,
                       const std::string& who) {
  active_ = &runner;
  active_->start(r);
  running_ = true;
  cancelling_ = false;
  running_step_ = step;
  begin_progress(who);
  started_ = now_;
}

std::string Session::limit_text() const {
  constexpr double moment_s = 1;
  if (run_limit_s() <= 0 || at_.phase != "run" || at_.who == "reference" || run_seconds() < moment_s)
    return {};
  return fmt::format(", stops after {:.0f} s of processor time", run_limit_s());
}

void Session::cancel() {
  if (!running_) return;
  cancelling_ = true;
  sweep_.running = false;
  rerun_ = false;
  active_->cancel();
}

void Session::begin_progress(const std::string& who) {
  share_ = 0;
  take_progress({who, "compile", 0});
}

void Session::take_progress(const run::Progress& at) {
  at_ = at;
  static const std::pair<const char*, std::pair<double, double>> phases[] = {
      {"compile", {0, 0.1}}, {"inputs", {0.1, 0.2}}, {"run", {0.2, 0.95}}, {"check", {0.95, 1}}};
  double one = 0;
  for (auto& [name, range] : phases)
    if (at_.phase == name)
      one = range.first + (range.second - range.first) * std::clamp(at_.fraction, 0.0, 1.0);
  share_ = std::max(share_, at_.who == "reference" ? 0.5 + one / 2 : one / 2);
}

void Session::predict(const std::string& typed) {
  if (!step_ || !can_predict(step_->prediction, typed)) return;
  kept_.edit(step_->id()).prediction = typed;
  progress_due_ = now_ + 0.2;
  ui.close(Overlay::predict);
  run(false);
}

void Session::skip_prediction() {
  if (!step_) return;
  kept_.edit(step_->id()).prediction_skipped = true;
  progress_due_ = now_ + 0.2;
  ui.close(Overlay::predict);
  run(false);
}

void Session::derive(StepView& v, const std::string& source) {
  ++v.report_serial;
  const Step& step = catalog_.find(v.id);
  v.brief = render_brief(step.brief, &step, &v.report);
  v.student_blocks = v.reference_blocks = {};
  v.advice.clear();
  const int sms = v.report.device.sms;
  if (auto* r = student_run(v.report)) v.student_blocks = lay_out(*r, sms);
  if (auto* r = reference_run(v.report)) v.reference_blocks = lay_out(*r, sms);
  v.todo_line = 0;
  auto* r = student_run(v.report);
  if (r && run::excused_if_untouched(r->status) && !source.empty())
    v.todo_line = run::untouched_todo(catalog_, step, places_.data, source);
  if (!r || !correct(*r) || v.todo_line) return;
  if (auto one = run::main_advice(step, *r, reference_run(v.report), v.report.device))
    v.advice.push_back(std::move(*one));
}

void Session::show_last_run(StepView& v) {
  const auto last = std::find_if(v.history.rbegin(), v.history.rend(),
                                 [](const PastRun& p) { return student_run(p.report) != nullptr; });
  if (last == v.history.rend()) return;
  v.report = last->report;
  v.has_report = true;
  v.shown_from = last->when;
  v.device_of = v.report.device.name;
  // Histories of earlier versions have no source: then nothing says that the file changed.
  const bool same = last->source.empty() || last->source == v.text.text();
  v.run_version = same ? v.text.version() : 0;
  v.run_text = last->source;
  derive(v, last->source.empty() ? v.text.text() : last->source);
}

void Session::close_answered(const StepView& v) {
  const Step& step = catalog_.find(v.id);
  if (&step != step_ || !awaiting_prediction() || step.prediction.counter.empty()) return;
  if (!reveal(step, "", &v.report).judged) return;
  kept_.edit(v.id).prediction_skipped = true;
  ui.close(Overlay::predict);
}

void Session::take_report(StepView& v, const Report& report) {
  v.report = report;
  v.has_report = true;
  v.shown_from.clear();
  v.report_of = running_label_;
  v.device_of = device();
  v.run_version = running_version_;
  v.run_text = running_text_;
  recorder.forget_error();
  derive(v, v.report_of.empty() ? running_text_ : "");
  refresh_lines(v);
  close_answered(v);
  if (!running_label_.empty() || keep_nothing_ || lectern.on()) return;  // of another file, or for a slide
  if (auto* r = student_run(v.report)) {
    if (!v.todo_line && !run::is_program(catalog_.find(v.id))) kept_.count_run(v.id, r->status);
    PastRun past{now_text(), "", without_detail(report), running_text_};
    std::string problem = history_.append(v.id, past);
    if (!problem.empty() && !places_.data.empty()) toast(problem, Tone::warn);
    v.history.push_back(std::move(past));
    if (v.history.size() > 50) v.history.erase(v.history.begin());
  }
  progress_due_ = now_ + 0.2;
}

void Session::finish(const run::WorkerEvent& e) {
  running_ = false;
  bool was_cancelled = cancelling_;
  cancelling_ = false;
  if (jobs.line().running) {
    jobs.take(e, was_cancelled);
    return;
  }
  auto* v = view_of(running_step_);
  if (recorder.has_run()) {
    recorder.finish(e, was_cancelled);
    return;
  }
  const bool answered =
      e.kind == run::WorkerEvent::report || (e.kind == run::WorkerEvent::failed && sweep_.done > 0);
  if (sweep_.running && sweep_.step == running_step_ && !was_cancelled && answered) {
    take_sweep(e);
    return;
  }
  if (e.kind == run::WorkerEvent::report && v) {
    take_report(*v, e.report_);
    return;
  }
  const bool swept = sweep_.running && sweep_.step == running_step_ && !was_cancelled;
  if (swept && e.kind == run::WorkerEvent::died) return lose_sweep(e.text);
  sweep_.running = false;
  if (!v) return;
  if (was_cancelled) {
    toast("The run was cancelled.");
    // A plot must not run it again to record a block: it may never end.
    recorder.leave_out(running_step_, running_version_);
    return;
  }
  v->error = e.kind == run::WorkerEvent::died ? worker_died(e.text) : e.text;
  ++v->report_serial;
}

}  // namespace dojo::gui
