#include "gui/model/session/lab_run.hpp"

#include "gui/model/session/session.hpp"

namespace dojo::gui {

bool LabRun::start(const Lab& lab, const LabChoice& choice) {
  if (s_.refuse_running()) return false;
  if (choice.students)
    if (auto* v = s_.view(); v && v->text.modified() && !s_.save()) return false;
  rows = lab_rows(s_.catalog_, lab, choice);
  of = lab.name;
  JobLine line;
  line.what = "Lab " + lab.name;
  for (size_t i = 0; i < rows.size(); ++i) {
    auto& row = rows[i];
    const Step& s = s_.catalog_.find(row.step);
    Job j;
    j.says = row.step + ", " + row.label;
    j.request.step = row.step;
    j.request.who = row.kind == LabRow::reference ? run::Who::reference : run::Who::student;
    if (row.kind == LabRow::wrong) {
      // Under its own name: its findings stand at lines of that file.
      for (auto& m : stand_ins(s_.catalog_, s))
        if (m.kind == StandIn::wrong && m.label == row.label) j.request.student_file = m.file.string();
    }
    j.done = [this, i](const run::WorkerEvent& e) {
      auto& r = rows[i];
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
    s_.toast(whole ? "All runs of the lab have ended: " + summary(rows) + "."
                   : "The lab was cancelled; what ran is kept.",
             whole ? Tone::good : Tone::neutral);
  };
  return s_.jobs.start(std::move(line));
}

}  // namespace dojo::gui
