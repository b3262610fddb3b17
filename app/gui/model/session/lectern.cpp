#include "gui/model/session/lectern.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "gui/model/session/session.hpp"

namespace dojo::gui {

/// A deck that goes into a file runs beside the student's own views; on the screen, set_student_aside() did
/// it.
struct Lectern::DeckViews {
  explicit DeckViews(Lectern& l) : l_(l), swapped_(!l.exporting.file.empty() && !l.student_.on) {
    if (!swapped_) return;
    std::swap(l_.s_.views_, l_.exporting.views);
    l_.student_.on = true;
  }
  ~DeckViews() {
    if (!swapped_) return;
    std::swap(l_.s_.views_, l_.exporting.views);
    l_.student_.on = false;
  }
  DeckViews(const DeckViews&) = delete;
  DeckViews& operator=(const DeckViews&) = delete;

 private:
  Lectern& l_;
  const bool swapped_;
};

bool Lectern::shows_reference() const { return s_.ui.lecture && talk.slide() && talk.slide()->reference; }

std::string Lectern::theme() const { return s_.settings.look() == "light" ? "light" : "contrast"; }

void Lectern::show_when_free() {
  if (!again_ || s_.running_) return;
  again_ = false;
  if (s_.ui.lecture) show();
}

bool Lectern::locked() const {
  auto* s = talk.slide();
  if (!s || s->step.empty() || s_.instructor) return false;
  const bool reference = s->show == "reference" || (s->show == "motion" && s->reference);
  return reference && s_.state_of(s_.catalog_.find(s->step).id()) != StepState::passed;
}

void Lectern::begin_file() {
  const bool beside = !student_.on;
  auto views = std::exchange(exporting.views, {});
  set_student_aside();
  if (beside) {
    s_.views_ = std::move(views);
    s_.step_ = nullptr;  // its view is another one now
    if (!student_.step.empty()) s_.open(student_.step);
  }
  exporting.beside = beside;
}

void Lectern::end_file() {
  const bool beside = exporting.beside;
  exporting = {};
  if (beside) bring_student_back();
}

Deck Lectern::deck_of(const Lab& lab) const {
  std::error_code ec;
  const fs::path own = s_.catalog_.root / "assets" / "lectures" / (lab.name + ".toml");
  return fs::exists(own, ec) ? load_deck(own, &s_.catalog_) : make_deck(lab);
}

bool Lectern::open(const std::string& file) {
  if (file.empty() && s_.refuse_stored()) return false;
  if (file.empty() && !s_.lab()) return false;
  try {
    talk.deck = file.empty() ? deck_of(*s_.lab()) : load_deck(file, &s_.catalog_);
  } catch (const Error& e) {
    s_.toast(e.what(), Tone::bad);
    return false;
  }
  talk.at = 0;
  talk.revealed = false;
  talk.began = s_.now_;
  // A deck begins where the lecturer is, when it has a slide of the open step.
  if (file.empty() && s_.step_)
    for (size_t i = 0; i < talk.deck.slides.size(); ++i) {
      if (talk.deck.slides[i].step.empty()) continue;
      try {
        if (&s_.catalog_.find(talk.deck.slides[i].step) == s_.step_ &&
            s_.step_ != &s_.catalog_.lab_of(*s_.step_).steps.front()) {
          talk.at = int(i);
          break;
        }
      } catch (const std::exception&) {
      }
    }
  set_student_aside();
  s_.ui.lecture = true;
  show();
  return true;
}

void Lectern::set_student_aside() {
  if (student_.on) return;
  s_.keep_drafts(true);
  student_.on = true;
  student_.views = std::exchange(s_.views_, {});
  student_.step = s_.step_ ? s_.step_->id() : "";
  student_.plot = s_.settings.plot;
  student_.ui = s_.ui;
  student_.motion = std::exchange(s_.motion, SlowMotion{});
  student_.motion_step = std::exchange(s_.recorder.step, {});
  student_.motion_reference = std::exchange(s_.recorder.reference, false);
  s_.recorder.forget_sample();
  s_.step_ = nullptr;
  s_.ui.motion = s_.ui.plots_only = false;
  if (!student_.step.empty()) s_.open(student_.step);
}

void Lectern::bring_student_back() {
  if (!student_.on) return;
  if (s_.running_) s_.cancel();  // a slide's run: its report would be dropped
  Aside back;
  std::swap(back, student_);
  const StepViews room = std::exchange(s_.views_, std::move(back.views));
  s_.settings.plot = back.plot;
  s_.settings_changed();
  s_.motion = std::move(back.motion);
  s_.recorder.step = back.motion_step;
  s_.recorder.reference = back.motion_reference;
  s_.recorder.forget_sample();
  s_.step_ = nullptr;
  if (!back.step.empty()) s_.open(back.step);
  // What was typed on a slide and not saved stays: in the editor, or under Runs where that has edits of its
  // own.
  for (auto& [id, typed] : room) {
    if (!typed->loaded || !typed->text.modified()) continue;
    StepView& v = s_.make_view(s_.catalog_.find(id));
    if (!v.loaded) s_.load_text(v, false);
    if (v.text.modified())
      s_.keep_text(v, typed->text.text(), "Typed on a slide");
    else
      v.text.replace_all(typed->text.text());
  }
  s_.ui = back.ui;
}

void Lectern::close() {
  again_ = s_.rerun_ = false;
  bring_student_back();
  s_.ui.lecture = false;
}

std::string Lectern::device() const { return device(s_.step_); }

std::string Lectern::device(const Step* step) const {
  const Deck& d = exporting.ready || !exporting.file.empty() ? exporting.deck : talk.deck;
  if (!d.recording.empty() && !talk.live) return "rec:" + d.recording;
  return s_.device(step);
}

const RunReport* Lectern::against() {
  auto* s = talk.slide();
  if (!s || s->against.empty()) return nullptr;
  auto* v = s_.view_of(s_.catalog_.find(s->against).id());
  return v && v->has_report ? reference_run(v->report) : nullptr;
}

void Lectern::show_trace(const Slide& slide, std::shared_ptr<const StepTrace> trace) {
  s_.recorder.show(s_.catalog_.find(slide.step).id(), slide.reference, std::move(trace));
  s_.motion.playing = false;
  s_.motion.seek(0);
  if (slide.stop.empty()) return;
  using Stop = SlowMotion::Stop;
  s_.motion.stops = {slide.stop == "conflict"     ? Stop::conflict
                     : slide.stop == "divergence" ? Stop::divergence
                     : slide.stop == "waste"      ? Stop::waste
                     : slide.stop == "barrier"    ? Stop::barrier
                                                  : Stop::finding};
  if (!s_.motion.run_on()) s_.motion.seek(0);
}

std::vector<Job> Lectern::jobs_of(const Slide& slide, bool again,
                                  std::function<void(std::shared_ptr<const StepTrace>)> traced) {
  std::vector<Job> out;
  if (!needs_run(slide)) return out;
  const Step& step = s_.catalog_.find(slide.step);
  if (slide.show == "motion") {
    Job j;
    j.says = step.id() + ", slow motion";
    j.request.step = step.id();
    j.request.who = slide.reference ? run::Who::reference : run::Who::student;
    // A recording of times has no steps: these come from the SIMT machine, wherever the times are from.
    j.request.device = s_.device(&step).starts_with("simt") ? s_.device(&step) : step.device;
    j.request.gates = false;
    j.request.trace.on = true;
    j.done = [this, traced](const run::WorkerEvent& e) {
      if (e.kind == run::WorkerEvent::report && e.steps && e.steps->reached && !e.steps->steps.empty())
        traced(e.steps);
      else
        s_.recorder.error = e.text.empty() ? "Nothing was recorded." : e.text;
    };
    out.push_back(std::move(j));
    return out;
  }
  auto add = [&](const Step& s, bool reference) {
    const DeckViews for_deck(*this);
    StepView& v = s_.make_view(s);
    if (!v.loaded) s_.load_text(v, false);
    const bool there = v.has_report &&
                       (reference ? reference_run(v.report) != nullptr : student_run(v.report) != nullptr) &&
                       !v.stale() && v.device_of == device(&s);
    if (there && !again) return;
    Job j;
    j.says = s.id();
    j.request.step = s.id();
    j.request.who = reference ? run::Who::reference : run::Who::both;
    j.request.device = device(&s);
    j.request.lines = j.request.blocks = true;
    j.done = [this, id = s.id(), from = device(&s)](const run::WorkerEvent& e) {
      const DeckViews for_deck(*this);
      StepView& v = s_.make_view(s_.catalog_.find(id));
      if (e.kind != run::WorkerEvent::report) {
        v.error = e.text.empty() ? "The worker ended without an answer." : e.text;
        if (!exporting.file.empty()) exporting.problems.push_back(id + ": " + v.error);
        return;
      }
      v.error.clear();
      s_.running_version_ = v.text.version();
      s_.running_label_ = v.stand_in ? v.stand_in->label : "";
      s_.keep_nothing_ = true;
      s_.take_report(v, e.report_);
      v.device_of = from;
    };
    out.push_back(std::move(j));
  };
  add(step, slide.reference);
  if (!slide.against.empty()) add(s_.catalog_.find(slide.against), true);
  return out;
}

void Lectern::run_slide(const Slide& slide, bool again) {
  JobLine line;
  line.what = "Slide";
  for (auto& j : jobs_of(slide, again, [this, slide](auto trace) { show_trace(slide, trace); }))
    line.todo.push_back(std::move(j));
  if (!line.todo.empty()) s_.jobs.start(std::move(line));
}

void Lectern::show() {
  auto* s = talk.slide();
  if (!s || s->step.empty()) return;
  if (!s_.open(s->step)) return;
  if (s_.running_) {  // the previous slide's run: this slide's starts when that has ended
    again_ = true;
    return;
  }
  if (locked()) return;
  if (s->show == "motion") {
    s_.motion.playing = false;
    if (s_.motion.trace() && s_.recorder.step == s_.view()->id && s_.recorder.reference == s->reference &&
        !s_.recorder.stale())
      return;
    s_.motion.clear();
  }
  run_slide(*s, false);
}

void Lectern::rerun() {
  auto* s = talk.slide();
  if (!s || s_.running_) return;
  if (auto* v = s_.view(); v && v->text.modified() && !s_.save()) return;
  run_slide(*s, true);
}

bool Lectern::write_file(fs::path file, bool pdf) {
  if (!s_.ui.lecture && s_.refuse_stored()) return false;
  if (s_.refuse_running()) return false;
  if (!s_.lab()) {
    s_.toast("Open a step of the lab first.");
    return false;
  }
  Deck deck;
  try {
    deck = s_.ui.lecture ? talk.deck : deck_of(*s_.lab());
  } catch (const Error& e) {
    s_.toast(e.what(), Tone::bad);
    return false;
  }
  if (file.empty())
    file = (s_.places_.data.empty() ? fs::path(".") : s_.places_.data / "decks") /
           (s_.lab()->name + (pdf ? ".pdf" : ".html"));
  exporting = {};
  exporting.file = file;
  exporting.pdf = pdf || file.extension() == ".pdf";
  exporting.deck = std::move(deck);
  for (Slide& slide : exporting.deck.slides) {
    const bool reference = slide.show == "reference" || (slide.show == "motion" && slide.reference);
    if (!reference || s_.instructor || slide.step.empty() ||
        s_.state_of(s_.catalog_.find(slide.step).id()) == StepState::passed)
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
      s_.toast("The export was cancelled.");
    }
  };
  return s_.jobs.start(std::move(line));
}

}  // namespace dojo::gui
