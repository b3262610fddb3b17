#include "gui/model/session/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "core/text/error_words.hpp"
#include "gui/model/plots/plots.hpp"
#include "gui/model/text/brief.hpp"
#include "gui/plot/axis.hpp"
#include "gui/system_theme.hpp"
#include "run/own_program.hpp"
#include "run/stored/stored_report.hpp"
#include "run/student/originals.hpp"

namespace dojo::gui {

Session::Session(Catalog catalog, std::unique_ptr<Runner> runner, Places places,
                 std::vector<DeviceInfo> devices, std::function<void()> wake)
    : desk(*this, wake),
      catalog_(std::move(catalog)),
      runner_(std::move(runner)),
      places_(std::move(places)),
      devices_(std::move(devices)),
      history_(places_.data),
      drafts_(places_.data),
      watch_(wake) {
  active_ = runner_.get();
  std::string problem;
  settings = Settings::load(places_.config, &problem);
  std::string progress_problem;
  kept_ = run::StudentProgress::load(places_.data.empty() ? fs::path{} : places_.data / "progress.json",
                                     &progress_problem);
  if (settings.theme == "system") settings.system_look = system_theme();
  for (const std::string& words : {problem, progress_problem})
    if (!words.empty()) toast(words, Tone::warn);
  try {
    glossary_ = Glossary::load(catalog_.root);
  } catch (const Error& e) {
    toast(e.what(), Tone::warn);
  }
  add_commands(*this);
}

Session::~Session() {
  if (running_) active_->cancel();
  lectern.close();
  save_now();
}

void Session::reload_catalog() {
  std::string id = step_ ? step_->id() : settings.step;
  const std::string report = stored() ? step_->options.at("report") : "";
  keep_drafts(true);
  step_ = nullptr;
  views_.clear();
  try {
    catalog_ = load_catalog(catalog_.root);
    add_kept_programs();
  } catch (const Error& e) {
    toast(e.what(), Tone::bad);
  }
  if (!report.empty()) {
    if (open_report(report)) return;
    id = settings.step;
  }
  if (!id.empty()) open(id);
}

bool Session::open(const std::string& name) {
  const Step* s = nullptr;
  try {
    s = &catalog_.find(name);
  } catch (const std::exception& e) {
    toast(error_words(e), Tone::bad);
    return false;
  }
  // Wherever it was chosen, in the list or by its name, it is what one wants to see.
  if (!lectern.on()) ui.submissions = false;
  if (step_ == s) {
    ui.lab_page.clear();
    return true;
  }
  step_ = s;
  recorder.forget_error();
  auto& v = make_view(*s);
  const bool is_stored = run::is_stored(*s), first = !v.history_loaded && !is_stored;
  if (first) v.history = history_.load(v.id), v.history_loaded = true;
  if (is_stored)
    v.loaded = true;  // its text stands in (open_report)
  else if (!v.loaded || !v.text.modified())
    load_text(v, v.loaded);
  else if (const auto disk = read_regular_file(catalog_.student_file(*s)); disk && *disk != v.base)
    v.disk_newer = true;
  if (kept_.of(v.id).runs == 0 && !run::is_program(*s) && !is_stored)
    run::keep_original(catalog_, *s, places_.data);
  if (first && !v.has_report && !lectern.on()) show_last_run(v);
  refresh_lines(v);
  if (!is_stored) watch_.watch(catalog_.student_file(*s));
  if (!lectern.on() && !is_stored) settings.step = s->id();
  // Unsaved text that came back is what one goes on with.
  ui.tab = v.draft_version && !lectern.on() ? UiState::Tab::source : UiState::Tab::brief;
  ui.focus_tab = true;
  ui.go_line = 0;
  ui.close(Overlay::predict);
  ui.lab_page.clear();
  settings.plot.clear();  // the step's own
  settings_changed();
  return true;
}

StepView& Session::make_view(const Step& s) {
  auto& slot = views_[s.id()];
  if (!slot) {
    slot = std::make_unique<StepView>();
    slot->id = s.id();
    slot->brief = render_brief(s.brief, &s, nullptr);
  }
  return *slot;
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

std::string Session::device() const { return device(step_); }

std::string Session::device(const Step* step) const {
  if (step && run::is_stored(*step)) return step->device;
  if (!settings.device.empty()) return settings.device;
  return step && !step->device.empty() ? step->device : "simt:h100";
}

const DeviceInfo* Session::device_info() const {
  std::string name = device();
  for (auto& d : devices_)
    if (d.name == name) return &d;
  return nullptr;
}

void Session::choose_device(const std::string& name) {
  if (refuse_stored()) return;
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
  if (refuse_stored()) return;
  if (auto* v = view()) v->size = s;
}

void Session::choose_heat(const std::string& key) {
  settings.heat = key;
  settings_changed();
  if (auto* v = view()) refresh_lines(*v);
}

std::string Session::plot() const {
  return plot_info(settings.plot.empty() && step_ ? step_->picture : settings.plot).key;
}

void Session::choose_plot(const std::string& key) {
  // The step's own picture is the default: choosing it goes back to following the steps.
  settings.plot = step_ && key == step_->picture ? "" : key;
  settings_changed();
}

void Session::refresh_lines(StepView& v) {
  v.heat.clear();
  v.marks.clear();
  if (!v.has_report) return;
  const Step& s = catalog_.find(v.id);
  if (auto* r = student_run(v.report)) {
    if (!v.stale()) v.heat = line_heat(*r, s.file, heat_metric(settings.heat));
    if (v.own_report()) v.marks = line_marks(*r, s.file);
  }
}

int Session::hints_shown() const {
  return step_ ? std::min(kept_.of(step_->id()).hints, int(step_->hints.size())) : 0;
}

namespace {
constexpr const char* ask_once_more = "The last hint nearly gives the answer. Ask once more to read it.";
}

void Session::show_hint() {
  if (!step_) return;
  const int shown = hints_shown(), all = int(step_->hints.size());
  if (shown >= all) {
    toast(all == 0 ? "This step has no hints." : "Those were all the hints.");
    return;
  }
  // The last one nearly gives the answer: it asks first.
  if (all > 1 && shown + 1 == all && last_hint_of_ != step_->id()) {
    last_hint_of_ = step_->id();
    toast(ask_once_more);
    return;
  }
  std::erase_if(toasts_, [](const Toast& t) { return t.text == ask_once_more; });
  // It opens where one looks: in the source, above the code.
  ui.focus_hint = true;
  if (ui.tab == UiState::Tab::source && !settings.brief_unfolded) settings.brief_unfolded = true;
  kept_.edit(step_->id()).hints = hints_shown() + 1;
  progress_due_ = now_ + 0.2;
}

double Session::lab_share(const Lab& lab) const {
  if (lab.steps.empty()) return 0;
  int passed = 0;
  for (auto& s : lab.steps) passed += state_of(s.id()) == StepState::passed;
  return double(passed) / double(lab.steps.size());
}

bool Session::tick(double now) {
  now_ = now;
  bool news = motion.tick(now);
  if (running_) {
    // A bounded number of events a frame: a flood of progress can't stall the window.
    for (int k = 0; k < 64 && running_; ++k) {
      auto e = active_->poll();
      if (!e) break;
      news = true;
      if (e->kind == run::WorkerEvent::progress)
        take_progress(e->at);
      else if (e->kind != run::WorkerEvent::printed)
        finish(*e);
    }
    if (running_ && !active_->busy()) {
      // The worker is idle and said nothing: it must not look as if a run went on for ever.
      run::WorkerEvent e;
      e.kind = run::WorkerEvent::died;
      finish(e);
      news = true;
    }
  }
  news |= tick_listing();
  news |= desk.table->poll();
  news |= tick_file();
  keep_drafts(false);
  if (rerun_ && !running_) {
    rerun_ = false;
    run(false);
    news = true;
  } else if (rerun_ && running_ && !cancelling_ && !sweep_.running && !jobs.line().running && step_ &&
             running_step_ == step_->id()) {
    // What runs is of an older text: end it, then run the new one.
    active_->cancel();
    cancelling_ = true;
  }
  lectern.show_when_free();
  while (!toasts_.empty() && toasts_.front().until < now_) {
    toasts_.pop_front();
    news = true;
  }
  if ((settings_due_ > 0 && now_ >= settings_due_) || (progress_due_ > 0 && now_ >= progress_due_))
    save_now();
  return news;
}

double Session::next_tick() const {
  double next = motion.next_tick(now_);
  if (ui.lecture && lectern.talk.presenter) next = std::min(next, 1.0);  // its clock
  if (running_ || rerun_) next = 0;
  if (listing_) next = std::min(next, 1.0 / 30);
  if (desk.table->grading()) next = std::min(next, 0.5);
  for (double due : {settings_due_, progress_due_, draft_due_, toasts_.empty() ? 0 : toasts_.front().until})
    if (due > 0) next = std::min(next, std::max(0.0, due - now_));
  return next;
}

void Session::save_now() {
  keep_drafts(true);
  if (!places_.config.empty() && settings_due_ > 0)
    if (const std::string problem = settings.save(places_.config);
        !problem.empty() && !std::exchange(settings_lost_, true))
      toast("Settings are not kept: " + problem, Tone::warn);
  if (!places_.data.empty() && progress_due_ > 0) {
    std::string problem = kept_.save();
    if (!problem.empty()) toast(problem, Tone::warn);
  }
  settings_due_ = progress_due_ = 0;
}

void Session::toast(const std::string& text, Tone tone) {
  if (!toasts_.empty() && toasts_.back().text == text) toasts_.pop_back();
  toasts_.push_back({text, tone, now_ + (tone == Tone::bad ? 9 : 5)});
  while (toasts_.size() > 4) toasts_.pop_front();
}

}  // namespace dojo::gui
