#include "gui/model/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "gui/model/files.hpp"
#include "gui/plot/axis.hpp"

namespace dojo::gui {

Session::Session(Catalog catalog, std::unique_ptr<Runner> runner, Places places, std::vector<DeviceInfo> devices,
                 std::function<void()> wake)
    : catalog_(std::move(catalog)), runner_(std::move(runner)), places_(std::move(places)),
      devices_(std::move(devices)), history_(places_.data), watch_(std::move(wake)) {
  std::string problem;
  settings = Settings::load(places_.config, &problem);
  kept_ = Progress::load(places_.data);
  if (!problem.empty()) toast(problem, Tone::warn);
  add_commands(*this);
}

Session::~Session() {
  if (running_) runner_->cancel();
  save_now();
}

void Session::reload_catalog() {
  std::string id = step_ ? step_->id() : settings.step;
  step_ = nullptr;
  try {
    catalog_ = load_catalog(catalog_.root);
  } catch (const Error& e) {
    toast(e.what(), Tone::bad);
  }
  views_.clear();
  if (!id.empty()) open(id);
}

bool Session::open(const std::string& name) {
  const Step* s = nullptr;
  try {
    s = &catalog_.find(name);
  } catch (const std::exception& e) {
    toast(e.what(), Tone::bad);
    return false;
  }
  if (step_ == s) return true;
  step_ = s;
  auto& slot = views_[s->id()];
  if (!slot) {
    slot = std::make_unique<StepView>();
    slot->id = s->id();
    slot->brief = parse_markdown(s->brief);
    slot->size = {};
  }
  auto& v = *slot;
  if (!v.loaded || !v.text.modified()) load_text(v, v.loaded);
  if (kept_.of(v.id).runs == 0) keep_original(catalog_.student_file(*s), places_.data);
  if (!v.history_loaded) {
    v.history = history_.load(v.id);
    v.history_loaded = true;
  }
  refresh_lines(v);
  watch_.watch(catalog_.student_file(*s));
  settings.step = s->id();
  ui.tab = UiState::Tab::brief;
  ui.focus_tab = true;
  ui.go_line = 0;
  ui.predict = false;
  settings_changed();
  return true;
}

StepView* Session::view() { return step_ ? view_of(step_->id()) : nullptr; }

StepView* Session::view_of(const std::string& id) {
  auto it = views_.find(id);
  return it == views_.end() ? nullptr : it->second.get();
}

const Step* Session::next_step() const {
  bool found = false;
  for (auto& l : catalog_.labs)
    for (auto& s : l.steps) {
      if (found) return &s;
      found = &s == step_;
    }
  return nullptr;
}

const Step* Session::previous_step() const {
  const Step* last = nullptr;
  for (auto& l : catalog_.labs)
    for (auto& s : l.steps) {
      if (&s == step_) return last;
      last = &s;
    }
  return nullptr;
}

bool Session::solved_or_instructor() const {
  return instructor || (step_ && state_of(step_->id()) == StepState::passed);
}

std::string Session::device() const {
  if (!settings.device.empty()) return settings.device;
  return step_ && !step_->device.empty() ? step_->device : "simt:h100";
}

const DeviceInfo* Session::device_info() const {
  std::string name = device();
  for (auto& d : devices_)
    if (d.name == name) return &d;
  return nullptr;
}

void Session::choose_device(const std::string& name) {
  settings.device = step_ && name == step_->device ? "" : name;
  settings_changed();
}

Size Session::size() const {
  if (!step_) return {};
  auto it = views_.find(step_->id());
  if (it != views_.end() && !it->second->size.empty()) return it->second->size;
  return device().starts_with("cuda") && !step_->gpu_size.empty() ? step_->gpu_size : step_->size;
}

void Session::choose_size(const Size& s) {
  if (auto* v = view()) v->size = s;
}

bool Session::awaiting_prediction() const {
  if (!step_ || step_->prediction.question.empty()) return false;
  auto& p = kept_.of(step_->id());
  return p.prediction.empty() && !p.prediction_skipped;
}

bool Session::run(bool ask_prediction) {
  if (!step_) return false;
  if (running_) {
    toast("A run is going on; Esc cancels it.");
    return false;
  }
  auto* v = view();
  if (!v->loaded) load_text(*v, false);
  if (!v->file_problem.empty() && !v->loaded) {
    toast(v->file_problem, Tone::bad);
    return false;
  }
  if (v->text.modified() && !save()) return false;
  if (ask_prediction && awaiting_prediction()) {
    ui.predict = true;
    return false;
  }
  start_request(size());
  return running_;
}

void Session::start_request(const Size& size) {
  run::RunRequest r;
  r.step = step_->id();
  r.who = run::Who::both;
  r.device = device();
  r.size = size;
  r.lines = true;
  r.blocks = !sweep_.running;
  r.gates = !sweep_.running;
  auto* v = view();
  v->error.clear();
  try {
    runner_->start(r);
  } catch (const std::exception& e) {
    v->error = e.what();
    toast(e.what(), Tone::bad);
    sweep_.running = false;
    return;
  }
  running_ = true;
  cancelling_ = false;
  running_step_ = v->id;
  running_version_ = v->text.version();
  at_ = {"student", "compile", 0};
  started_ = now_;
}

void Session::cancel() {
  if (!running_) return;
  cancelling_ = true;
  sweep_.running = false;
  rerun_ = false;
  runner_->cancel();
}

double Session::overall_progress() const {
  static const std::pair<const char*, std::pair<double, double>> phases[] = {
      {"compile", {0, 0.1}}, {"inputs", {0.1, 0.2}}, {"run", {0.2, 0.95}}, {"check", {0.95, 1}}};
  double one = 0;
  for (auto& [name, range] : phases)
    if (at_.phase == name) one = range.first + (range.second - range.first) * std::clamp(at_.fraction, 0.0, 1.0);
  return at_.who == "reference" ? 0.5 + one / 2 : one / 2;
}

void Session::predict(const std::string& typed) {
  if (!step_ || typed.empty()) return;
  kept_.edit(step_->id()).prediction = typed;
  progress_due_ = now_ + 0.2;
  ui.predict = false;
  run(false);
}

void Session::skip_prediction() {
  if (!step_) return;
  kept_.edit(step_->id()).prediction_skipped = true;
  progress_due_ = now_ + 0.2;
  ui.predict = false;
  run(false);
}

void Session::start_sweep() {
  auto* v = view();
  if (!v || running_) return;
  if (v->text.modified() && !save()) return;
  sweep_ = {};
  sweep_.step = v->id;
  Size own = size();
  for (int k = 10; k >= 0; --k) {
    Size s = own;
    double each = std::pow(0.5, double(k) / double(std::max<size_t>(1, s.size())));
    for (auto& [n, x] : s) x = std::max<int64_t>(1, int64_t(std::llround(double(x) * each)));
    if (sweep_.todo.empty() || sweep_.todo.back() != s) sweep_.todo.push_back(s);
  }
  sweep_.total = sweep_.todo.size();
  sweep_.running = true;
  next_sweep_point();
}

void Session::next_sweep_point() {
  if (!sweep_.running) return;
  if (sweep_.todo.empty() || !step_ || step_->id() != sweep_.step) {
    sweep_.running = false;
    return;
  }
  Size s = sweep_.todo.front();
  sweep_.todo.erase(sweep_.todo.begin());
  start_request(s);
}

void Session::load_text(StepView& v, bool keep_caret) {
  const Step& s = catalog_.find(v.id);
  std::string text;
  fs::path file = catalog_.student_file(s);
  if (!read_file(file, text)) {
    v.file_problem = file.string() + " can't be read.";
    if (!v.loaded) v.text.set("");
  } else {
    v.file_problem.clear();
    if (!v.loaded) v.text.set(text);
    else if (text != v.text.text()) {
      Caret c = v.text.caret();
      v.text.replace_all(text);
      if (keep_caret) v.text.move_to(c);
    }
    v.text.mark_saved();
    v.text_version = v.text.version();
    v.loaded = true;
    v.disk_newer = false;
  }
  if (v.reference_text.empty() && !catalog_.lab_of(s).reference.empty())
    read_file(catalog_.reference_file(s), v.reference_text);
}

bool Session::save() {
  auto* v = view();
  if (!v || !v->loaded) return false;
  if (!v->text.modified()) return true;
  std::string problem = write_atomically(catalog_.student_file(*step_), v->text.text());
  if (!problem.empty()) {
    toast(problem, Tone::bad);
    return false;
  }
  watch_.accept();
  v->text.mark_saved();
  v->text_version = v->text.version();
  v->disk_newer = false;
  return true;
}

void Session::edit_done() {
  if (auto* v = view()) v->heat.clear();  // lines have moved: heat would stand beside the wrong ones
}

void Session::take_disk() {
  auto* v = view();
  if (!v) return;
  load_text(*v, true);
  toast("The text here is now the file's. Undo brings your edits back.");
}

bool Session::reset() {
  auto* v = view();
  if (!v || !step_) return false;
  std::string original, current = v->text.text();
  fs::path file = catalog_.student_file(*step_);
  std::string problem = original_text(catalog_.root, file, places_.data, original);
  if (!problem.empty()) {
    toast(problem, Tone::bad);
    return false;
  }
  if (original == current) {
    toast("The file is as it was.");
    return true;
  }
  fs::path kept = (places_.data.empty() ? file.parent_path() : places_.data / "kept" / lab()->name) /
                  (file.stem().string() + " " + now_text() + file.extension().string());
  problem = write_atomically(kept, current);
  if (!problem.empty()) {
    toast(problem + ". Nothing was reset.", Tone::bad);
    return false;
  }
  v->text.replace_all(original);
  if (!save()) return false;
  refresh_lines(*v);
  toast("The file is as it was. Yours is kept as " + kept.string());
  return true;
}

void Session::choose_heat(const std::string& key) {
  settings.heat = key;
  settings_changed();
  if (auto* v = view()) refresh_lines(*v);
}

void Session::refresh_lines(StepView& v) {
  v.heat.clear();
  v.marks.clear();
  if (!v.has_report) return;
  const Step& s = catalog_.find(v.id);
  if (auto* r = student_run(v.report)) {
    if (!v.stale()) v.heat = line_heat(*r, s.file, heat_metric(settings.heat));
    v.marks = line_marks(*r, s.file);
  }
}

int Session::hints_shown() const { return step_ ? std::min(kept_.of(step_->id()).hints, int(step_->hints.size())) : 0; }

void Session::show_hint() {
  if (!step_) return;
  if (hints_shown() >= int(step_->hints.size())) {
    toast(step_->hints.empty() ? "This step has no hints." : "Those were all the hints.");
    return;
  }
  kept_.edit(step_->id()).hints = hints_shown() + 1;
  progress_due_ = now_ + 0.2;
}

double Session::lab_share(const Lab& lab) const {
  if (lab.steps.empty()) return 0;
  int passed = 0;
  for (auto& s : lab.steps) passed += state_of(s.id()) == StepState::passed;
  return double(passed) / double(lab.steps.size());
}

void Session::take_report(StepView& v, const Report& report) {
  v.report = report;
  v.has_report = true;
  v.run_version = running_version_;
  ++v.report_serial;
  v.student_blocks = v.reference_blocks = {};
  v.advice.clear();
  if (auto* r = student_run(v.report)) v.student_blocks = lay_out(*r, report.device.sms);
  if (auto* r = reference_run(v.report)) v.reference_blocks = lay_out(*r, report.device.sms);
  auto* r = student_run(v.report);
  if (r && (r->status == Status::pass || r->status == Status::gate_failed)) v.advice = run::advise(*r, report.device);
  auto& p = kept_.edit(v.id);
  ++p.runs;
  if (r) {
    // A pass stays a pass: later tries don't take the mark away.
    if (r->status == Status::pass) p.state = StepState::passed;
    else if (p.state != StepState::passed) p.state = StepState::failed;
    PastRun past{now_text(), "", without_detail(report)};
    std::string problem = history_.append(v.id, past);
    if (!problem.empty() && !places_.data.empty()) toast(problem, Tone::warn);
    v.history.push_back(std::move(past));
    if (v.history.size() > 50) v.history.erase(v.history.begin());
  }
  progress_due_ = now_ + 0.2;
  refresh_lines(v);
}

void Session::finish(const run::WorkerEvent& e) {
  running_ = false;
  bool was_cancelled = cancelling_;
  cancelling_ = false;
  auto* v = view_of(running_step_);
  if (e.kind == run::WorkerEvent::report && v) {
    if (sweep_.running && sweep_.step == v->id) {
      SweepPoint p;
      p.size = e.report_.size;
      if (auto* r = student_run(e.report_)) {
        p.student_us = r->time_us.value, p.student_gbps = r->gbps;
        p.right = r->status == Status::pass || r->status == Status::gate_failed;
      }
      if (auto* r = reference_run(e.report_)) p.reference_us = r->time_us.value, p.reference_gbps = r->gbps;
      sweep_.points.push_back(p);
      ++v->report_serial;
      if (!p.right && sweep_.points.size() == 1) {
        sweep_.running = false;
        toast("The sweep was stopped: the result is not right yet.", Tone::warn);
      }
      next_sweep_point();
      return;
    }
    take_report(*v, e.report_);
    return;
  }
  sweep_.running = false;
  if (!v) return;
  if (was_cancelled) {
    toast("The run was cancelled.");
    return;
  }
  v->error = e.kind == run::WorkerEvent::died
                 ? "The worker ended without an answer" + (e.text.empty() ? "." : ": " + e.text) + " Press F5 to try again."
                 : e.text;
  ++v->report_serial;
}

bool Session::tick(double now) {
  now_ = now;
  bool news = false;
  if (running_) {
    // A bounded number of events a frame: a flood of progress can't stall the window.
    for (int k = 0; k < 64 && running_; ++k) {
      auto e = runner_->poll();
      if (!e) break;
      news = true;
      if (e->kind == run::WorkerEvent::progress) at_ = e->at;
      else if (e->kind != run::WorkerEvent::printed) finish(*e);
    }
    if (running_ && !runner_->busy()) {
      // The worker is idle and said nothing: it must not look as if a run went on for ever.
      run::WorkerEvent e;
      e.kind = run::WorkerEvent::died;
      finish(e);
      news = true;
    }
  }
  if (watch_.changed()) {
    if (auto* v = view()) {
      news = true;
      if (v->text.modified()) {
        v->disk_newer = true;
      } else {
        load_text(*v, true);
        refresh_lines(*v);
        if (settings.watch) rerun_ = true;
      }
    }
  }
  if (rerun_ && !running_) {
    rerun_ = false;
    run(false);
    news = true;
  } else if (rerun_ && running_ && !cancelling_ && !sweep_.running && step_ && running_step_ == step_->id()) {
    // What runs is of an older text: end it, then run the new one.
    runner_->cancel();
    cancelling_ = true;
  }
  while (!toasts_.empty() && toasts_.front().until < now_) {
    toasts_.pop_front();
    news = true;
  }
  if ((settings_due_ > 0 && now_ >= settings_due_) || (progress_due_ > 0 && now_ >= progress_due_)) save_now();
  return news;
}

double Session::next_tick() const {
  double next = 1e9;
  if (running_ || rerun_) next = 0;
  for (double due : {settings_due_, progress_due_, toasts_.empty() ? 0 : toasts_.front().until})
    if (due > 0) next = std::min(next, std::max(0.0, due - now_));
  return next;
}

void Session::save_now() {
  if (!places_.config.empty() && settings_due_ > 0) settings.save(places_.config);
  if (!places_.data.empty() && progress_due_ > 0) {
    std::string problem = kept_.save(places_.data);
    if (!problem.empty()) toast(problem, Tone::warn);
  }
  settings_due_ = progress_due_ = 0;
}

void Session::toast(const std::string& text, Tone tone) {
  if (!toasts_.empty() && toasts_.back().text == text) toasts_.pop_back();
  toasts_.push_back({text, tone, now_ + (tone == Tone::bad ? 9 : 5)});
  while (toasts_.size() > 4) toasts_.pop_front();
}

std::string short_size(const Size& s) {
  std::string out;
  for (auto& [name, v] : s) {
    std::string p = power_of_two(v), word = p.empty() ? grouped(double(v)) : p;
    if (s.size() == 1) return word;
    out += (out.empty() ? "" : " × ") + (v < 100000 ? std::to_string(v) : word);
  }
  return out;
}

}  // namespace dojo::gui
