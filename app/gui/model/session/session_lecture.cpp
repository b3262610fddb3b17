// Lectures: a deck on the screen, and on its way into a file.
#include <algorithm>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "gui/model/session/session.hpp"

namespace dojo::gui {

/// A deck that goes into a file runs beside the student's own views; on the screen, set_student_aside() did
/// it.
struct Session::DeckViews {
  explicit DeckViews(Session& s) : s_(s), swapped_(!s.exporting.file.empty() && !s.student_.on) {
    if (!swapped_) return;
    std::swap(s_.views_, s_.exporting.views);
    s_.student_.on = true;
  }
  ~DeckViews() {
    if (!swapped_) return;
    std::swap(s_.views_, s_.exporting.views);
    s_.student_.on = false;
  }
  DeckViews(const DeckViews&) = delete;
  DeckViews& operator=(const DeckViews&) = delete;

 private:
  Session& s_;
  const bool swapped_;
};

bool Session::slide_locked() const {
  auto* s = talk.slide();
  if (!s || s->step.empty() || instructor) return false;
  const bool reference = s->show == "reference" || (s->show == "motion" && s->reference);
  return reference && state_of(catalog_.find(s->step).id()) != StepState::passed;
}

void Session::begin_deck_file() {
  const bool beside = !student_.on;
  auto views = std::exchange(exporting.views, {});
  set_student_aside();
  if (beside) {
    views_ = std::move(views);
    step_ = nullptr;  // its view is another one now
    if (!student_.step.empty()) open(student_.step);
  }
  exporting.beside = beside;
}

void Session::end_deck_file() {
  const bool beside = exporting.beside;
  exporting = {};
  if (beside) bring_student_back();
}

bool Session::open_deck(const std::string& file) {
  if (file.empty() && refuse_stored()) return false;
  try {
    std::error_code ec;
    fs::path own = lab() ? catalog_.root / "assets" / "lectures" / (lab()->name + ".toml") : fs::path();
    if (!file.empty())
      talk.deck = load_deck(file, &catalog_);
    else if (!own.empty() && fs::exists(own, ec))
      talk.deck = load_deck(own, &catalog_);
    else if (lab())
      talk.deck = make_deck(*lab());
    else
      return false;
  } catch (const Error& e) {
    toast(e.what(), Tone::bad);
    return false;
  }
  talk.at = 0;
  talk.revealed = false;
  talk.began = now_;
  // A deck begins where the lecturer is, when it has a slide of the open step.
  if (file.empty() && step_)
    for (size_t i = 0; i < talk.deck.slides.size(); ++i) {
      if (talk.deck.slides[i].step.empty()) continue;
      try {
        if (&catalog_.find(talk.deck.slides[i].step) == step_ &&
            step_ != &catalog_.lab_of(*step_).steps.front()) {
          talk.at = int(i);
          break;
        }
      } catch (const std::exception&) {
      }
    }
  set_student_aside();
  ui.lecture = true;
  show_slide();
  return true;
}

void Session::set_student_aside() {
  if (student_.on) return;
  keep_drafts(true);
  student_.on = true;
  student_.views = std::exchange(views_, {});
  student_.step = step_ ? step_->id() : "";
  student_.plot = settings.plot;
  student_.ui = ui;
  student_.motion = std::exchange(motion, SlowMotion{});
  student_.motion_step = std::exchange(recorder.step, {});
  student_.motion_reference = std::exchange(recorder.reference, false);
  recorder.forget_sample();
  step_ = nullptr;
  ui.motion = ui.plots_only = false;
  if (!student_.step.empty()) open(student_.step);
}

void Session::bring_student_back() {
  if (!student_.on) return;
  if (running_) cancel();  // a slide's: nobody waits for it any more
  Aside back;
  std::swap(back, student_);
  const Views room = std::exchange(views_, std::move(back.views));
  settings.plot = back.plot;
  settings_changed();
  motion = std::move(back.motion);
  recorder.step = back.motion_step;
  recorder.reference = back.motion_reference;
  recorder.forget_sample();
  step_ = nullptr;
  if (!back.step.empty()) open(back.step);
  // What was typed on a slide and not saved stays: in the editor, or under Runs where that has edits of its
  // own.
  for (auto& [id, typed] : room) {
    if (!typed->loaded || !typed->text.modified()) continue;
    StepView& v = make_view(catalog_.find(id));
    if (!v.loaded) load_text(v, false);
    if (v.text.modified())
      keep_text(v, typed->text.text(), "Typed on a slide");
    else
      v.text.replace_all(typed->text.text());
  }
  ui = back.ui;
}

void Session::close_deck() {
  show_slide_again_ = rerun_ = false;
  bring_student_back();
  ui.lecture = false;
}

std::string Session::slide_device() const { return slide_device(step_); }

std::string Session::slide_device(const Step* step) const {
  const Deck& d = exporting.ready || !exporting.file.empty() ? exporting.deck : talk.deck;
  if (!d.recording.empty() && !talk.live) return "rec:" + d.recording;
  return device(step);
}

const RunReport* Session::slide_against() {
  auto* s = talk.slide();
  if (!s || s->against.empty()) return nullptr;
  auto* v = view_of(catalog_.find(s->against).id());
  return v && v->has_report ? reference_run(v->report) : nullptr;
}

void Session::show_trace(const Slide& slide, std::shared_ptr<const StepTrace> trace) {
  recorder.show(catalog_.find(slide.step).id(), slide.reference, std::move(trace));
  motion.playing = false;
  motion.seek(0);
  if (slide.stop.empty()) return;
  using Stop = SlowMotion::Stop;
  motion.stops = {slide.stop == "conflict"     ? Stop::conflict
                  : slide.stop == "divergence" ? Stop::divergence
                  : slide.stop == "waste"      ? Stop::waste
                  : slide.stop == "barrier"    ? Stop::barrier
                                               : Stop::finding};
  if (!motion.run_on()) motion.seek(0);
}

std::vector<Job> Session::jobs_of(const Slide& slide, bool again,
                                  std::function<void(std::shared_ptr<const StepTrace>)> traced) {
  std::vector<Job> out;
  if (!needs_run(slide)) return out;
  const Step& step = catalog_.find(slide.step);
  if (slide.show == "motion") {
    Job j;
    j.says = step.id() + ", slow motion";
    j.request.step = step.id();
    j.request.who = slide.reference ? run::Who::reference : run::Who::student;
    // A recording of times has no steps: these come from the SIMT machine, wherever the times are from.
    j.request.device = device(&step).starts_with("simt") ? device(&step) : step.device;
    j.request.gates = false;
    j.request.trace.on = true;
    j.done = [this, traced](const run::WorkerEvent& e) {
      if (e.kind == run::WorkerEvent::report && e.steps && e.steps->reached && !e.steps->steps.empty())
        traced(e.steps);
      else
        recorder.error = e.text.empty() ? "Nothing was recorded." : e.text;
    };
    out.push_back(std::move(j));
    return out;
  }
  auto add = [&](const Step& s, bool reference) {
    const DeckViews for_deck(*this);
    StepView& v = make_view(s);
    if (!v.loaded) load_text(v, false);
    const bool there = v.has_report &&
                       (reference ? reference_run(v.report) != nullptr : student_run(v.report) != nullptr) &&
                       !v.stale() && v.device_of == slide_device(&s);
    if (there && !again) return;
    Job j;
    j.says = s.id();
    j.request.step = s.id();
    j.request.who = reference ? run::Who::reference : run::Who::both;
    j.request.device = slide_device(&s);
    j.request.lines = j.request.blocks = true;
    j.done = [this, id = s.id(), from = slide_device(&s)](const run::WorkerEvent& e) {
      const DeckViews for_deck(*this);
      StepView& v = make_view(catalog_.find(id));
      if (e.kind != run::WorkerEvent::report) {
        v.error = e.text.empty() ? "The worker ended without an answer." : e.text;
        if (!exporting.file.empty()) exporting.problems.push_back(id + ": " + v.error);
        return;
      }
      v.error.clear();
      running_version_ = v.text.version();
      running_label_ = v.stand_in ? v.stand_in->label : "";
      keep_nothing_ = true;
      take_report(v, e.report_);
      v.device_of = from;
    };
    out.push_back(std::move(j));
  };
  add(step, slide.reference);
  if (!slide.against.empty()) add(catalog_.find(slide.against), true);
  return out;
}

void Session::show_slide() {
  auto* s = talk.slide();
  if (!s || s->step.empty()) return;
  if (!open(s->step)) return;
  if (running_) {  // the slide before's: this one comes afterwards
    show_slide_again_ = true;
    return;
  }
  if (slide_locked()) return;
  if (s->show == "motion") {
    motion.playing = false;
    if (motion.trace() && recorder.step == view()->id && recorder.reference == s->reference &&
        !recorder.stale())
      return;
    motion.clear();
  }
  JobLine line;
  line.what = "Slide";
  const Slide slide = *s;
  for (auto& j : jobs_of(slide, false, [this, slide](auto trace) { show_trace(slide, trace); }))
    line.todo.push_back(std::move(j));
  if (!line.todo.empty()) start_jobs(std::move(line));
}

void Session::rerun_slide() {
  auto* s = talk.slide();
  if (!s || running_) return;
  if (auto* v = view(); v && v->text.modified() && !save()) return;
  const Slide slide = *s;
  JobLine line;
  line.what = "Slide";
  for (auto& j : jobs_of(slide, true, [this, slide](auto trace) { show_trace(slide, trace); }))
    line.todo.push_back(std::move(j));
  if (!line.todo.empty()) start_jobs(std::move(line));
}

bool Session::export_deck(fs::path file, bool pdf) {
  if (!ui.lecture && refuse_stored()) return false;
  if (!lab() || running_) {
    toast(running_ ? "A run is going on; Esc cancels it." : "Open a step of the lab first.");
    return false;
  }
  Deck deck;
  try {
    std::error_code ec;
    fs::path own = catalog_.root / "assets" / "lectures" / (lab()->name + ".toml");
    deck = ui.lecture ? talk.deck : fs::exists(own, ec) ? load_deck(own, &catalog_) : make_deck(*lab());
  } catch (const Error& e) {
    toast(e.what(), Tone::bad);
    return false;
  }
  if (file.empty())
    file = (places_.data.empty() ? fs::path(".") : places_.data / "decks") /
           (lab()->name + (pdf ? ".pdf" : ".html"));
  exporting = {};
  exporting.file = file;
  exporting.pdf = pdf || file.extension() == ".pdf";
  exporting.deck = std::move(deck);
  for (Slide& slide : exporting.deck.slides) {
    const bool reference = slide.show == "reference" || (slide.show == "motion" && slide.reference);
    if (!reference || instructor || slide.step.empty() ||
        state_of(catalog_.find(slide.step).id()) == StepState::passed)
      continue;
    slide.show.clear();
    slide.text += "\n\n*The reference of this step is locked until the step is passed.*";
  }
  JobLine line;
  line.what = "Deck " + file.filename().string();
  std::set<std::string> asked;
  for (size_t i = 0; i < exporting.deck.slides.size(); ++i)
    for (auto& j :
         jobs_of(exporting.deck.slides[i], false, [this, i](auto trace) { exporting.traces[i] = trace; })) {
      // One run serves all slides of its step; both runs serve those that want the reference alone.
      if (!j.request.trace.on &&
          !asked.insert(j.request.step + (j.request.who == run::Who::both ? " both" : "")).second)
        continue;
      line.todo.push_back(std::move(j));
    }
  std::erase_if(line.todo, [&](const Job& j) {
    return !j.request.trace.on && j.request.who == run::Who::reference &&
           asked.count(j.request.step + " both");
  });
  line.ended = [this](bool whole) {
    if (whole)
      exporting.ready = true;
    else {
      exporting = {};
      toast("The export was cancelled.");
    }
  };
  return start_jobs(std::move(line));
}

}  // namespace dojo::gui
