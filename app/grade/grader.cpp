// The pool: worker children, one thread each, taking the next row that nobody has.
#include "grade/grader.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "core/error.hpp"
#include "grade/secret.hpp"
#include "run/worker.hpp"

namespace dojo::grade {
namespace {

struct Task {
  const Submission* submission;
  const CourseStep* course_step;
  size_t index;
};

/// Asks a worker for one report; a dead child answers with a report of status crash.
Report ask(run::WorkerClient& worker, const run::RunRequest& request, const std::function<bool()>& stopped) {
  worker.start(request);
  bool cancelled = false;
  for (;;) {
    if (!cancelled && stopped && stopped()) {
      worker.cancel();
      cancelled = true;
    }
    const auto e = worker.wait(std::chrono::milliseconds(200));
    if (!e) continue;
    if (e->kind == run::WorkerEvent::report || e->kind == run::WorkerEvent::died) return e->report_;
    if (e->kind == run::WorkerEvent::failed) throw Error(e->text, e->exit_status);
  }
}

Row grade_one(run::WorkerClient& worker, const Catalog& catalog, const Task& task, const GradeOptions& o) {
  const Step& step = catalog.find(task.course_step->step);
  const Lab& lab = catalog.lab_of(step);
  const fs::path file = file_of(*task.submission, step, lab);
  Row row;
  if (file.empty()) {
    row = judge(*task.course_step, o.course, step, {});
    row.status = "missing";
    row.message = "no " + lab.folder.filename().string() + "/" + step.file + " was handed in";
    row.checks = {{"right results", false, 0, task.course_step->points, row.message}};
  } else {
    std::vector<Report> reports;
    const int seeds = o.seeds > 0 ? o.seeds : o.course.seeds;
    std::string refused;
    for (int i = 0; i < seeds; ++i) {
      run::RunRequest r;
      r.step = step.id();
      r.student_file = file.string();
      r.who = run::Who::student;
      r.device = o.course.device;
      r.seed = hidden_seed(o.secret, step.id(), i);
      r.time_limit_s = o.course.time_limit_s;
      r.threads = o.jobs > 1 ? 1 : 0;
      r.gates = i == 0;  // gates are judged at the step's own size, results at hidden ones too
      if (i > 0) r.size = hidden_size(o.secret, step, i);
      try {
        reports.push_back(ask(worker, r, o.stopped));
      } catch (const Error& e) {
        if (o.stopped && o.stopped()) throw;
        if (i == 0)
          refused = e.what();
        else
          continue;  // a hidden size that the step doesn't take: the visible one counts
        break;
      }
      if (reports.back().runs.empty() || (reports.back().runs[0].status != Status::pass &&
                                          reports.back().runs[0].status != Status::gate_failed))
        break;
    }
    row = judge(*task.course_step, o.course, step, reports);
    if (!refused.empty()) row.message = refused;
  }
  row.student = task.submission->student;
  return row;
}

}  // namespace

std::vector<Row> grade_all(const Catalog& catalog, const std::vector<Submission>& submissions,
                           const GradeOptions& o) {
  std::vector<Task> tasks;
  for (const auto& s : submissions)
    for (const auto& c : o.course.steps) {
      const Step& step = catalog.find(c.step);
      // A single file is graded for its own step.
      std::error_code ec;
      if (!fs::is_directory(s.folder, ec) && s.folder.filename() != step.file) continue;
      const std::string key = s.student + "/" + step.lab + "/" + step.file.substr(0, step.file.rfind('.'));
      if (o.skip && o.skip(key)) continue;
      tasks.push_back({&s, &c, tasks.size()});
    }
  std::vector<Row> rows(tasks.size());
  std::vector<char> there(tasks.size(), 0);
  std::atomic<size_t> next{0};
  std::mutex report;
  int done = 0;
  auto work = [&] {
    run::WorkerClient worker;
    for (size_t i; (i = next++) < tasks.size();) {
      if (o.stopped && o.stopped()) return;
      Row row;
      try {
        row = grade_one(worker, catalog, tasks[i], o);
      } catch (const std::exception& e) {
        if (o.stopped && o.stopped()) return;
        const Step& step = catalog.find(tasks[i].course_step->step);
        row = judge(*tasks[i].course_step, o.course, step, {});
        row.student = tasks[i].submission->student;
        row.message = e.what();
      }
      const std::lock_guard lock(report);
      rows[i] = row;
      there[i] = 1;
      ++done;
      if (o.row) o.row(row, done, int(tasks.size()));
    }
  };
  std::vector<std::thread> threads;
  for (int j = 1; j < o.jobs; ++j) threads.emplace_back(work);
  work();
  for (auto& t : threads) t.join();
  std::vector<Row> finished;
  for (size_t i = 0; i < rows.size(); ++i)
    if (there[i]) finished.push_back(std::move(rows[i]));
  return finished;
}

}  // namespace dojo::grade
