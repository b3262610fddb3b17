#include "grade/cases/own_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "core/text/error_words.hpp"
#include "grade/pool/ask.hpp"
#include "grade/pool/rows.hpp"
#include "run/execute.hpp"
#include "run/native/shared_object.hpp"
#include "run/worker/enclosed_child.hpp"
#include "run/worker/worker_protocol.hpp"
#include "simt/time/version.hpp"

namespace dojo::grade {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr const char* own_lab = "tests";
/// Seconds after which test cases that ask for nothing are ended: the instructor's own code hangs.
constexpr int silent_s = 120;

/// The next line of a child, or nothing when it ended, hangs, or grading was stopped.
std::optional<Json> hear(run::EnclosedChild& child, const std::function<bool()>& stopped) {
  const auto until = Clock::now() + std::chrono::seconds(silent_s);
  while (Clock::now() < until && !(stopped && stopped())) {
    const auto line = child.channel().read(200);
    if (line && !line->empty()) return Json::parse(*line);
    if (child.channel().ended()) break;
  }
  return std::nullopt;
}

/// What a student's test cases have come to.
struct Outcome {
  struct Ended {
    bool there = false, passed = false;
    std::string message;
  };
  std::vector<Ended> cases;
  int calls = 0, not_there = 0;  ///< calls of the file, and those of one that was not handed in
  Status worst = Status::pass;   ///< of the calls
  std::string machine;           ///< why the machine failed; then the row says nothing about the file
};

/// Answers one child's calls of one student's files.
class Answering {
 public:
  Answering(const Catalog& catalog, const Submission& submission, const GradeOptions& o,
            run::WorkerClient& worker, Outcome& outcome)
      : catalog_(catalog), submission_(submission), o_(o), worker_(worker), outcome_(outcome) {}

  run::WorkerEvent answer(run::CallRequest r) {
    ++outcome_.calls;
    const HandedIn file = handed_in(r.file);
    if (!file.found) {
      ++outcome_.not_there;
      return refusal(file.why_not);
    }
    r.file = file.name;
    r.source = file.text;
    if (r.device.empty()) r.device = o_.course.device;
    r.time_limit_s = o_.course.time_limit_s;
    r.threads = o_.threads > 0 ? o_.threads : o_.jobs > 1 ? 1 : 0;
    try {
      run::WorkerEvent e = ask(worker_, r, o_.stopped);
      if (!e.report_.runs.empty()) {
        const Status s = e.report_.runs.front().status;
        outcome_.worst = run::worse(outcome_.worst, s);
      }
      e.kind = run::WorkerEvent::report;
      if (!e.outputs) e.outputs = std::make_shared<run::CallOutputs>();
      return e;
    } catch (const MachineFailure&) {
      throw;
    } catch (const Error& e) {
      return refusal(e.what());
    }
  }

 private:
  HandedIn handed_in(const std::string& name) const {
    const Step* step = nullptr;
    try {
      step = &catalog_.find(name);
    } catch (const Error&) {
    }
    return step ? read_handed_in(submission_, *step, catalog_.lab_of(*step))
                : read_handed_in(submission_, name);
  }
  static run::WorkerEvent refusal(const std::string& why) {
    run::WorkerEvent e;
    e.kind = run::WorkerEvent::failed;
    e.exit_status = 2;
    e.text = why;
    return e;
  }
  const Catalog& catalog_;
  const Submission& submission_;
  const GradeOptions& o_;
  run::WorkerClient& worker_;
  Outcome& outcome_;
};

std::string joined(const Json& messages) {
  std::string all;
  for (const Json& m : messages) all += (all.empty() ? "" : " | ") + m.get<std::string>();
  return clean_text(all, 900);
}

/// Runs one child from the first case that has not ended. False when it made no progress.
bool run_once(const OwnCases& own, const GradeOptions& o, Answering& answering, Outcome& outcome) {
  const size_t all = own.cases().size();
  size_t first = 0;
  while (first < all && outcome.cases[first].there) ++first;
  run::EnclosedChild child(o.sandbox, run::Enclosed::runner, {"--tests", own.object().string()}, -1,
                           {own.object()});
  const auto cases = hear(child, o.stopped);
  if (!cases || !cases->contains("cases")) {
    outcome.machine = cases ? cases->value("failed", "") : child.end();
    return false;
  }
  child.channel().write(Json{{"first", first}}.dump());
  while (auto line = hear(child, o.stopped)) {
    if (line->contains("call")) {
      child.channel().write(run::encode(answering.answer(run::decode_call((*line)["call"].dump())), 1));
    } else if (line->contains("ended")) {
      const size_t i = line->at("ended");
      if (i >= all) break;
      outcome.cases[i] = {true, line->at("passed"), joined(line->at("messages"))};
    } else {
      break;  // the end
    }
  }
  size_t now = first;
  while (now < all && outcome.cases[now].there) ++now;
  if (now == all || (o.stopped && o.stopped())) return false;
  // The child ended within this case: it fails, the next ones go on in another child.
  outcome.cases[now] = {true, false, "the test case did not end: " + child.end()};
  return now + 1 < all;
}

Row row_of(const OwnCases& own, const GradeOptions& o, const Outcome& outcome) {
  Row row;
  row.lab = own_lab;
  row.step = own.name();
  row.model_version = simt::model_version();
  row.deadline = own.course_step(o.course).deadline;
  size_t failed = 0;
  for (size_t i = 0; i < own.cases().size(); ++i) {
    const harness::TestCase& c = own.cases()[i];
    const Outcome::Ended& e = outcome.cases[i];
    Check check{clean_text(c.name, 200), e.passed && outcome.machine.empty(), 0, c.points, e.message};
    if (check.passed) {
      check.points = c.points;
      check.message = "passes";
    } else {
      if (++failed == 1) {
        row.message = check.name + ": " + check.message;
        row.problem = "test case " + check.name;
      }
    }
    row.points += check.points;
    row.max_points += check.max_points;
    row.checks.push_back(std::move(check));
  }
  if (!outcome.machine.empty()) {
    row.status = RowStatus::not_graded;
    row.points = 0;
    row.problem = "the grading machine failed";
    row.message = clean_text("Not graded: " + outcome.machine + ". This says nothing about the file.", 600);
    return row;
  }
  row.message = clean_text(row.message, 900);
  if (failed > 1)
    row.message = fmt::format("{} of {} test cases fail. {}", failed, own.cases().size(), row.message);
  if (failed == 0)
    row.status = RowStatus::pass;
  else if (outcome.calls > 0 && outcome.not_there == outcome.calls)
    row.status = RowStatus::missing;
  else
    row.status = outcome.worst == Status::pass ? RowStatus::wrong : row_status(outcome.worst);
  return row;
}

Row grade_cases(const Catalog& catalog, const Submission& s, const GradeOptions& o, const OwnCases& own,
                run::WorkerClient& worker) {
  Outcome outcome;
  outcome.cases.resize(own.cases().size());
  Answering answering(catalog, s, o, worker, outcome);
  try {
    while (run_once(own, o, answering, outcome)) {
    }
  } catch (const MachineFailure& e) {
    outcome.machine = e.what();
  }
  return row_of(own, o, outcome);
}

}  // namespace

OwnCases::OwnCases(const fs::path& source, const run::Sandbox& sandbox) : name_(source.stem().string()) {
  const auto text = read_file(source);
  if (!text) throw Error("cannot read " + source.string());
  text_ = *text;
  if (folder_.path.empty()) throw Error("cannot make a folder for the compiled test cases", 71);
  object_ = fs::path(folder_.path) / (name_ + ".so");
  // Hidden names: a program that has a doctest of its own must not lend it to this object. Without
  // doctest's signal handlers a crash ends the process, and run_once says in which case.
  run::compile_shared_object({source, source.filename().string() + " needs to be compiled",
                              "-DWARPDOJO_TESTS -DDOCTEST_CONFIG_NO_POSIX_SIGNALS -fvisibility=hidden -O0"},
                             object_);
  run::EnclosedChild child(sandbox, run::Enclosed::runner, {"--tests", object_.string()}, -1, {object_});
  const auto heard = hear(child, {});
  if (!heard) throw Error(source.string() + " can't be run: " + child.end());
  if (heard->contains("failed"))
    throw Error(source.string() + " can't be run: " + heard->at("failed").get<std::string>());
  for (const Json& c : heard->at("cases")) cases_.push_back({c.at("name"), c.at("points")});
  if (cases_.empty()) throw Error(source.string() + " has no TEST_CASE");
}

CourseStep OwnCases::course_step(const Course& course) const {
  CourseStep c;
  c.step = std::string(own_lab) + "/" + name_;
  c.points = 0;
  for (const auto& k : cases_) c.points += k.points;
  for (const CourseStep& s : course.steps) c.deadline = std::max(c.deadline, s.deadline);
  return c;
}

std::vector<std::string> own_case_keys(const std::vector<Submission>& submissions, const OwnCases& own) {
  std::vector<std::string> keys;
  for (const Submission& s : submissions) keys.push_back(s.student + "/" + own_lab + "/" + own.name());
  return keys;
}

std::vector<Row> run_own_cases(const Catalog& catalog, const std::vector<Submission>& submissions,
                               const GradeOptions& o, const OwnCases& own) {
  std::vector<const Submission*> mine;
  std::vector<RowQueue::Item> items;
  const std::vector<std::string> keys = own_case_keys(submissions, own);
  for (size_t i = 0; i < submissions.size(); ++i)
    if (!o.skip || !o.skip(keys[i])) {
      mine.push_back(&submissions[i]);
      items.push_back({submissions[i].student, 0, keys[i]});
    }
  RowQueue queue(std::move(items), o.shared, {});
  return grade_rows(queue, mine.size(), o, [&]() -> GradeRow {
    return
        [&, worker = std::make_shared<run::WorkerClient>(worker_options(o))](size_t i) -> std::optional<Row> {
          Row row;
          try {
            row = grade_cases(catalog, *mine[i], o, own, *worker);
          } catch (const std::exception& e) {
            Outcome failed;
            failed.cases.resize(own.cases().size());
            failed.machine = error_words(e);
            row = row_of(own, o, failed);
          }
          if (o.stopped && o.stopped()) return std::nullopt;
          worker->renew();  // a student who took over a child must not meet the next one's files
          row.student = mine[i]->student;
          row.submitted = mine[i]->submitted;
          row.marked_late = mine[i]->marked_late;
          return row;
        };
  });
}

}  // namespace dojo::grade
