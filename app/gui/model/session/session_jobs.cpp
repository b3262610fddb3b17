// How far all work is, and what runs in the place of the student's file.
#include <algorithm>
#include <cmath>

#include "gui/model/session/session.hpp"

namespace dojo::gui {

double Session::work_share() const {
  if (jobs.line().running && jobs.line().total) {
    const run::Who who = jobs.line().now.request.who;  // one of the two is all of such a run
    const double now = who == run::Who::both        ? share_
                       : who == run::Who::reference ? std::max(0.0, 2 * share_ - 1)
                                                    : std::min(1.0, 2 * share_);
    return std::min(1.0, (double(jobs.line().done) + now) / double(jobs.line().total));
  }
  if (sweep_.running && sweep_.total) return double(sweep_.done) / double(sweep_.total);
  return overall_progress();
}

Runner& Session::runner_for(const StandIn* in) {
  return in && in->hostile() ? desk.runner_for(*in) : *runner_;
}

void Session::set_instructor(bool on) {
  instructor = on;
  if (ui.lecture) lectern.show();  // what was locked runs now
  if (!on) {
    for (auto& [id, v] : views_)
      if (v->stand_in && v->stand_in->kind != StandIn::submission && v->stand_in->kind != StandIn::stored)
        stand_in(*v, nullptr);
    if (ui.tab == UiState::Tab::instructor) ui.tab = UiState::Tab::brief;
  }
}

bool Session::shows_own_run() {
  const auto* v = view();
  return !v || v->report_of.empty() || stored();
}

std::string Session::student_name() {
  if (!shows_own_run()) return view()->report_of;
  return ui.lecture ? "Student's file" : "You";
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

}  // namespace dojo::gui
