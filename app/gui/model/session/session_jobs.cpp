// Several runs in a line, and what runs in the place of the student's file.
#include <algorithm>
#include <cmath>

#include "core/text/error_words.hpp"
#include "gui/model/session/session.hpp"

namespace dojo::gui {

bool Session::start_jobs(JobLine line) {
  if (running_) {
    toast("A run is going on; Esc cancels it.");
    return false;
  }
  jobs_ = std::move(line);
  jobs_.total = jobs_.todo.size();
  jobs_.done = 0;
  jobs_.running = true;
  next_job();
  return true;
}

void Session::next_job() {
  while (jobs_.running && !jobs_.todo.empty()) {
    jobs_.now = std::move(jobs_.todo.front());
    jobs_.todo.pop_front();
    try {
      const run::RunRequest& r = jobs_.now.request;
      start_on(*runner_, r, r.step, r.who == run::Who::reference ? "reference" : "student");
      return;
    } catch (const std::exception& e) {
      run::WorkerEvent failed;
      failed.kind = run::WorkerEvent::failed;
      failed.text = error_words(e);
      ++jobs_.done;
      if (jobs_.now.done) jobs_.now.done(failed);
    }
  }
  end_jobs(true);
}

void Session::end_jobs(bool whole) {
  if (!jobs_.running) return;
  jobs_.running = false;
  auto ended = std::move(jobs_.ended);
  jobs_.ended = nullptr;
  jobs_.todo.clear();
  if (ended) ended(whole);
}

void Session::take_job(const run::WorkerEvent& e, bool cancelled) {
  if (cancelled) {
    end_jobs(false);
    return;
  }
  ++jobs_.done;
  if (jobs_.now.done) jobs_.now.done(e);
  next_job();
}

double Session::work_share() const {
  if (jobs_.running && jobs_.total) {
    const run::Who who = jobs_.now.request.who;  // one of the two is all of such a run
    const double now = who == run::Who::both        ? share_
                       : who == run::Who::reference ? std::max(0.0, 2 * share_ - 1)
                                                    : std::min(1.0, 2 * share_);
    return std::min(1.0, (double(jobs_.done) + now) / double(jobs_.total));
  }
  if (sweep_.running && sweep_.total) return double(sweep_.done) / double(sweep_.total);
  return overall_progress();
}

Runner& Session::runner_for(const StandIn* in) {
  return in && in->hostile() ? desk.runner_for(*in) : *runner_;
}

void Session::set_instructor(bool on) {
  instructor = on;
  if (!on) {
    for (auto& [id, v] : views_)
      if (v->stand_in && v->stand_in->kind != StandIn::submission && v->stand_in->kind != StandIn::stored)
        stand_in(*v, nullptr);
    if (ui.tab == UiState::Tab::instructor) ui.tab = UiState::Tab::brief;
  }
}

std::string Session::student_name() {
  const auto* v = view();
  return !v || v->report_of.empty() || stored() ? "You" : v->report_of;
}

const std::vector<StandIn>& Session::stand_ins() {
  if (step_ && stand_ins_of_ != step_->id()) {
    stand_ins_of_ = step_->id();
    stand_ins_ = gui::stand_ins(catalog_, *step_);
  }
  return stand_ins_;
}

void Session::choose_stand_in(std::shared_ptr<const StandIn> s) {
  auto* v = view();
  if (!v || stored()) return;
  stand_in(*v, std::move(s));
}

void Session::stand_in(StepView& v, std::shared_ptr<const StandIn> s) {
  v.stand_in = std::move(s);
  v.error.clear();
  recorder.error.clear();
  refresh_lines(v);
  ++v.report_serial;
}

bool Session::run_lab(const Lab& lab, const LabChoice& choice) {
  if (running_) {
    toast("A run is going on; Esc cancels it.");
    return false;
  }
  if (choice.students)
    if (auto* v = view(); v && v->text.modified() && !save()) return false;
  lab_run = lab_rows(catalog_, lab, choice);
  lab_run_of = lab.name;
  JobLine line;
  line.what = "Lab " + lab.name;
  for (size_t i = 0; i < lab_run.size(); ++i) {
    auto& row = lab_run[i];
    const Step& s = catalog_.find(row.step);
    Job j;
    j.says = row.step + ", " + row.label;
    j.request.step = row.step;
    j.request.who = row.kind == LabRow::reference ? run::Who::reference : run::Who::student;
    if (row.kind == LabRow::wrong) {
      // Under its own name: its findings stand at lines of that file.
      for (auto& m : gui::stand_ins(catalog_, s))
        if (m.kind == StandIn::wrong && m.label == row.label) j.request.student_file = m.file.string();
    }
    j.done = [this, i](const run::WorkerEvent& e) {
      auto& r = lab_run[i];
      if (e.kind == run::WorkerEvent::report && !e.report_.runs.empty()) {
        take_run(r, e.report_.runs.front());
        return;
      }
      r.ran = r.told = true;
      r.as_expected = false;
      r.status = Status::crash;
      r.note = e.text.empty() ? "The worker ended without an answer." : e.text;
    };
    line.todo.push_back(std::move(j));
  }
  line.ended = [this](bool whole) {
    toast(whole ? "All runs of the lab have ended: " + summary(lab_run) + "."
                : "The lab was cancelled; what ran is kept.",
          whole ? Tone::good : Tone::neutral);
  };
  return start_jobs(std::move(line));
}

}  // namespace dojo::gui
