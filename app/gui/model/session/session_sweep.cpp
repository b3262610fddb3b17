// A curve instead of a point: the open step over its sizes, and the references of the lab's other steps
// beside it.
#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "core/gates/step_values.hpp"
#include "gui/model/session/session.hpp"
#include "gui/model/verdict.hpp"

namespace dojo::gui {

namespace {
/// A point of the curve, bandwidth where the step has none; 0 when that can't be said.
double point(const Step& step, const Report& report, const RunReport& run) {
  if (step.curve.empty()) return run.launches.empty() || !correct(run) ? 0 : run.gbps;
  return curve_value(step, report, run).value_or(0);
}

std::string axis_name(const Curve& c) {
  std::string name;
  for (auto& e : c.extents) name += (name.empty() ? "" : " = ") + e;
  return name;
}

/// Steps that can stand on one pair of axes.
bool comparable(const Step& a, const Step& b) {
  return !a.curve.empty() && !b.curve.empty() && a.curve.extents == b.curve.extents &&
         a.curve.label == b.curve.label;
}
}  // namespace

void Session::start_sweep(bool tiers) {
  auto* v = view();
  if (!v || running_ || refuse_stored()) return;
  if (v->text.modified() && !save()) return;
  sweep_ = {};
  sweep_.step = v->id;
  if (const Curve& c = step_->curve; !c.empty()) {
    sweep_.x_label = axis_name(c);
    sweep_.y_label = c.label;
    for (int64_t x : c.values) sweep_.todo.push_back({c.at(x), double(x), {}});
    if (tiers)
      for (auto& s : catalog_.lab_of(*step_).steps)
        if (s.id() != v->id && comparable(s, *step_))
          for (int64_t x : s.curve.values) sweep_.todo.push_back({s.curve.at(x), double(x), s.id()});
  } else {
    Size own = size();
    for (int k = 10; k >= 0; --k) {
      SweepJob j{own, 1, {}};
      double each = std::pow(0.5, double(k) / double(std::max<size_t>(1, own.size())));
      for (auto& [n, x] : j.size)
        x = std::max<int64_t>(1, int64_t(std::llround(double(x) * each))), j.x *= double(x);
      if (sweep_.todo.empty() || sweep_.todo.back().size != j.size) sweep_.todo.push_back(j);
    }
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
  sweep_.now = sweep_.todo.front();
  sweep_.todo.erase(sweep_.todo.begin());
  start_request(sweep_.now.size, sweep_.now.tier);
}

/// Ends the sweep of the student's file before its last size. `why` follows on "Your sweep stopped at n = 8".
void Session::stop_sweep(const std::string& why) {
  sweep_.stopped = "Your sweep stopped at " + size_text(sweep_.now.size) + why;
  if (plot() != "sweep") toast(sweep_.stopped, Tone::warn);  // else its plot says it
  // The curves of the references say something even so.
  std::erase_if(sweep_.todo, [](auto& j) { return j.tier.empty(); });
  sweep_.total = sweep_.done + sweep_.todo.size();
}

/// The worker is gone: nothing more of this sweep can be run. What it has stays.
void Session::lose_sweep(const std::string& how) {
  sweep_.running = false;
  const std::string size = size_text(sweep_.now.size);
  sweep_.stopped =
      fmt::format("{} stopped at {} after {:.0f} s: {}. {}To do: sweep again{}.",
                  sweep_.now.tier.empty() ? "Your sweep" : "The sweep of the references", size, run_seconds(),
                  how.empty() ? "the worker, which runs the kernels, is gone" : how,
                  sweep_.points.empty() ? "" : "The sizes before it are drawn. ",
                  sweep_.now.tier.empty() ? "; if it stops at this size again, run this size alone" : "");
  if (plot() != "sweep") toast(sweep_.stopped, Tone::bad);
}

void Session::take_sweep(const run::WorkerEvent& e) {
  ++sweep_.done;
  if (auto* v = view_of(sweep_.step)) ++v->report_serial;
  const Report& report = e.report_;
  if (!sweep_.now.tier.empty()) {
    // A size that one tier can't take leaves a gap in its curve.
    if (e.kind == run::WorkerEvent::report)
      if (auto* r = reference_run(report)) {
        double y = point(catalog_.find(sweep_.now.tier), report, *r);
        if (sweep_.tiers.empty() || sweep_.tiers.back().first != sweep_.now.tier)
          sweep_.tiers.push_back({sweep_.now.tier, {}});
        if (y > 0) sweep_.tiers.back().second.push_back({sweep_.now.x, y});
      }
    next_sweep_point();
    return;
  }
  if (e.kind != run::WorkerEvent::report) {  // a size that the step doesn't take
    next_sweep_point();
    return;
  }
  const Step& s = catalog_.find(sweep_.step);
  SweepPoint p;
  p.size = report.size;
  p.x = sweep_.now.x;
  const RunReport* mine = student_run(report);
  if (mine) {
    p.student_us = mine->time_us.value, p.student = point(s, report, *mine);
    p.right = correct(*mine);
  }
  if (auto* r = reference_run(report)) p.reference_us = r->time_us.value, p.reference = point(s, report, *r);
  sweep_.points.push_back(p);
  if (mine && mine->status == Status::timeout)
    stop_sweep(
        fmt::format(" after {:.0f} s, its time limit: your kernel still ran. Its loops do not "
                    "end, or it does too much work per element. To do: run this size alone and read its "
                    "verdict.",
                    limit_s_));
  else if (!p.right && sweep_.points.size() == 1)
    stop_sweep(": " + std::string(mine ? headline(*mine).title : "no result") +
               ". To do: make the step right at this size, then sweep again.");
  next_sweep_point();
}

Table sweep_table(const Sweep& s) {
  auto text = [](double v) { return fmt::format("{:.6g}", v); };
  Table t{{"step", s.x_label, "student_us", "reference_us", "student " + s.y_label, "reference " + s.y_label},
          {}};
  for (auto& p : s.points)
    t.rows.push_back(
        {s.step, text(p.x), text(p.student_us), text(p.reference_us), text(p.student), text(p.reference)});
  for (auto& [tier, curve] : s.tiers)
    for (auto& [at, value] : curve) t.rows.push_back({tier, text(at), "", "", "", text(value)});
  return t;
}

}  // namespace dojo::gui
