// How one row is graded, and the batch of all rows of a course.
#include "grade/grader.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "core/error.hpp"
#include "core/text/error_words.hpp"
#include "grade/pool/ask.hpp"
#include "grade/pool/rows.hpp"
#include "grade/pool/shared_rows.hpp"
#include "grade/references.hpp"
#include "run/student/originals.hpp"
#include "run/worker/worker.hpp"
#include "simt/time/version.hpp"

namespace dojo::grade {
namespace {

struct Task {
  const Submission* submission;
  const CourseStep* course_step;
  std::string key;
};

std::vector<Task> all_tasks(const Catalog& catalog, const std::vector<Submission>& submissions,
                            const Course& course) {
  std::vector<Task> tasks;
  for (const auto& s : submissions)
    for (const auto& c : course.steps) {
      const Step& step = catalog.find(c.step);
      // A single file is graded for its own step.
      if (s.single && s.folder.filename() != step.file) continue;
      tasks.push_back({&s, &c, s.student + "/" + step.id()});
    }
  return tasks;
}

/// The children of one thread: one pair for the submissions, fresh for every student, and one for the
/// course's own files.
struct Workers {
  explicit Workers(const GradeOptions& o)
      : hostile(options(o, false)), own(options(o, true)), stopped(o.stopped) {}
  static run::WorkerOptions options(const GradeOptions& o, bool own) {
    run::WorkerOptions w = worker_options(o);
    w.keep_references = own;
    return w;
  }
  run::WorkerClient hostile, own;
  std::function<bool()> stopped;
  const Submission* last = nullptr;
  /// Without the course's own runs no grade is right: their machine's failure ends the batch.
  Ask ask_own = [this](const run::RunRequest& r) { return ask(own, r, stopped).report_; };
};

Row missing(const Task& task, const Course& course, const Step& step, const std::string& why) {
  Row row = judge(*task.course_step, course, step, {});
  row.status = RowStatus::missing;
  row.message = why;
  row.problem.clear();
  row.checks = {{"right results", false, 0, task.course_step->points, why}};
  return row;
}

Row not_graded(const Task& task, const Course& course, const Step& step, const std::string& why) {
  Row row = missing(task, course, step,
                    clean_text("Not graded: the grading machine failed twice (" + why +
                                   "). This says nothing about the file; grade it again.",
                               600));
  row.status = RowStatus::not_graded;
  row.problem = "the grading machine failed";
  return row;
}

/// Of a file that is the starter but for comments: its run is known, and earns nothing.
Row untouched(const Task& task, const Course& course, const Step& step, const References::StepPlan& plan) {
  Row row = judge(*task.course_step, course, step, {plan.starter_report}, plan.references, plan.starter);
  row.message = clean_text("This is the file as it was handed out. " + row.message, 900);
  row.problem = "the file as it was handed out";
  return row;
}

Row grade_one(Workers& workers, References& references, SharedRows& shared, const Catalog& catalog,
              const Task& task, const GradeOptions& o) {
  const Step& step = catalog.find(task.course_step->step);
  const Lab& lab = catalog.lab_of(step);
  HandedIn file = read_handed_in(*task.submission, step, lab);
  if (!file.found) return missing(task, o.course, step, file.why_not);
  const auto& plan = references.plan(step, *task.course_step, workers.ask_own);
  if (const auto starter = run::starter_text(catalog, step);
      starter && !plan.starter_report.runs.empty() && same_program(file.text, *starter))
    return untouched(task, o.course, step, plan);
  const std::string key = program_key(file.text);
  if (auto row = shared.find(step.id(), key)) return *row;
  // A student who took over a child must not meet the next one's files.
  if (workers.last && workers.last != task.submission) workers.hostile.renew();
  workers.last = task.submission;
  std::vector<Report> reports;
  std::string refused, failed;
  for (size_t i = 0; i < plan.inputs.size(); ++i) {
    try {
      reports.push_back(ask(workers.hostile,
                            references.request(step, plan, plan.inputs[i], file.name, file.text), o.stopped)
                            .report_);
    } catch (const MachineFailure& e) {
      if (o.stopped && o.stopped()) throw;
      failed = e.what();
      break;
    } catch (const Error& e) {
      if (o.stopped && o.stopped()) throw;
      refused = e.what();
      break;
    }
    if (reports.back().runs.empty()) break;
    RunReport& run = reports.back().runs[0];
    if (run.status == Status::pass) continue;
    if (const std::string words = references.mistake(step, i, run, file.text, workers.ask_own);
        !words.empty()) {
      Diagnostic d;
      d.severity = Severity::note;
      d.kind = FindingKind::mistake;
      d.message = words;
      run.diagnostics.push_back(std::move(d));
    }
    if (run.status != Status::gate_failed) break;
  }
  if (!failed.empty()) return not_graded(task, o.course, step, failed);
  if (!refused.empty() && !reports.empty()) reports.clear();  // no report is no result
  Row row = judge(*task.course_step, o.course, step, reports, plan.references, plan.starter);
  if (!refused.empty()) row.message = row.checks[0].message = clean_text(refused, 600);
  shared.add(step.id(), key, row);
  return row;
}

}  // namespace

std::vector<std::string> row_keys(const Catalog& catalog, const std::vector<Submission>& submissions,
                                  const Course& course) {
  std::vector<std::string> keys;
  for (Task& t : all_tasks(catalog, submissions, course)) keys.push_back(std::move(t.key));
  return keys;
}

std::vector<Row> grade_all(const Catalog& catalog, const std::vector<Submission>& submissions,
                           const GradeOptions& o) {
  std::vector<Task> tasks = all_tasks(catalog, submissions, o.course);
  std::erase_if(tasks, [&](const Task& t) { return o.skip && o.skip(t.key); });
  References references(catalog, o);
  SharedRows shared;
  std::vector<RowQueue::Item> items;
  for (const Task& t : tasks)
    items.push_back({t.submission->student, size_t(t.course_step - o.course.steps.data()), t.key});
  RowQueue queue(std::move(items), o.shared,
                 [&](size_t step) { return references.being_made(catalog.find(o.course.steps[step].step)); });
  return grade_rows(queue, tasks.size(), o, [&]() -> GradeRow {
    return [&, workers = std::make_shared<Workers>(o)](size_t i) -> std::optional<Row> {
      const Task& task = tasks[i];
      Row row;
      try {
        row = grade_one(*workers, references, shared, catalog, task, o);
      } catch (const MachineFailure& e) {
        if (o.stopped && o.stopped()) return std::nullopt;
        throw Error(task.course_step->step + ": a run of the course's own files failed on this machine (" +
                        e.what() + "); no grade without it",
                    71);
      } catch (const CourseFailure&) {
        throw;
      } catch (const std::exception& e) {
        if (o.stopped && o.stopped()) return std::nullopt;
        row = judge(*task.course_step, o.course, catalog.find(task.course_step->step), {});
        row.message = clean_text(error_words(e), 600);
      }
      row.student = task.submission->student;
      row.submitted = task.submission->submitted_of(task.course_step->step);
      row.marked_late = task.submission->marked_late;
      if (row.model_version.empty()) row.model_version = simt::model_version();
      return row;
    };
  });
}

}  // namespace dojo::grade
