#include "grade/references.hpp"

#include <fmt/format.h>

#include "core/counters.hpp"
#include "core/error.hpp"
#include "grade/secret.hpp"
#include "run/mistakes.hpp"
#include "run/reference_cache.hpp"

namespace dojo::grade {

namespace {

/// A correct kernel that needs thirty times the reference is no kernel to wait for; below a fraction of a
/// second of work nobody is stopped.
constexpr double times_the_reference = 30, least_limit = 30e6;

}  // namespace

References::References(const Catalog& catalog, const GradeOptions& options)
    : catalog_(catalog), options_(options) {}

References::Entry& References::entry(const Step& step) {
  const std::lock_guard lock(mutex_);
  auto& e = entries_[step.id()];
  if (!e) e = std::make_unique<Entry>();
  return *e;
}

run::RunRequest References::request(const Step& step, const StepPlan& plan, const Input& input,
                                    std::string name, std::string source) const {
  run::RunRequest r;
  r.step = step.id();
  r.student_file = std::move(name);
  r.student_source = std::move(source);
  r.who = run::Who::student;
  r.device = options_.course.device;
  r.seed = input.seed;
  r.size = input.size;
  r.time_limit_s = options_.course.time_limit_s;
  r.threads = options_.threads > 0 ? options_.threads : options_.jobs > 1 ? 1 : 0;
  r.gates = input.gates;
  r.max_warp_instructions = plan.most_instructions;
  return r;
}

void References::make(const Step& as_made, const Size& pinned, Entry& e, const Ask& ask) const {
  Step step = as_made;
  if (!pinned.empty()) step.size = pinned;
  const int wanted = options_.seeds > 0 ? options_.seeds : options_.course.seeds;
  const auto source = run::read_file(catalog_.reference_file(step));
  double most = 0;
  for (int i = 0; i < wanted; ++i) {
    Input input;
    input.seed = hidden_seed(options_.secret, step.id(), i);
    input.gates = i == 0;  // gates are judged at the step's own size, results at hidden ones too
    input.size = pinned;
    if (i > 0) input.size = hidden_size(options_.secret, step, i);
    run::RunRequest r = request(step, {}, input, "reference/" + step.file, source.value_or(""));
    if (!source) {
      // A handout's reference is PTX, which runs in no student's place.
      r.who = run::Who::reference;
      r.student_source.reset();
      r.student_file.clear();
    }
    std::string why;
    try {
      Report report = ask(r);
      if (!report.runs.empty() && report.runs[0].status == Status::pass) {
        e.plan.inputs.push_back(input);
        e.plan.references.push_back(std::move(report.runs[0]));
        most = std::max(most, total(e.plan.references.back(), "instructions"));
        continue;
      }
      why = report.runs.empty() ? "no report" : to_string(report.runs[0].status);
      if (!report.runs.empty() && !report.runs[0].diagnostics.empty())
        why += ": " + report.runs[0].diagnostics[0].message;
    } catch (const Error& error) {
      if (error.exit == 130) throw;
      why = error.what();
    }
    // An input that the reference doesn't pass can't be asked of a student; the visible one is kept anyway.
    if (i == 0) {
      e.plan.inputs.push_back(input);
      e.plan.references.emplace_back();
    }
    if (options_.note)
      options_.note(fmt::format("{}: the reference does not pass on input {} ({}){}", step.id(), i,
                                clean_text(why, 300), i == 0 ? "" : "; that input is left out"));
  }
  e.plan.most_instructions = uint64_t(std::max(least_limit, times_the_reference * most));
}

const References::StepPlan& References::plan(const Step& step, const CourseStep& wanted, const Ask& ask) {
  Entry& e = entry(step);
  std::call_once(e.once, [&] { make(step, wanted.size, e, ask); });
  return e.plan;
}

std::string References::mistake(const Step& step, size_t input, const RunReport& failed, const Ask& ask) {
  // Where a run was when its time was up depends on the machine, so that nothing can be told from it.
  if (failed.status != Status::wrong && failed.status != Status::finding &&
      failed.status != Status::gate_failed)
    return {};
  Entry& e = entry(step);
  const std::lock_guard lock(e.mutex);
  auto known = e.mistakes.find(input);
  if (known == e.mistakes.end()) {
    std::vector<std::pair<std::string, RunReport>> made;
    for (const run::StoredMistake& m : run::stored_mistakes(catalog_, step)) {
      const auto source = run::read_file(m.file);
      if (!source || input >= e.plan.inputs.size()) continue;
      run::RunRequest r = request(step, e.plan, e.plan.inputs[input], step.file, *source);
      r.time_limit_s = std::min(r.time_limit_s, 5.0);
      try {
        Report report = ask(r);
        if (!report.runs.empty()) made.emplace_back(m.words, std::move(report.runs[0]));
      } catch (const Error& error) {
        if (error.exit == 130) throw;
      }
    }
    known = e.mistakes.emplace(input, std::move(made)).first;
  }
  for (const auto& [words, run] : known->second)
    if (run::same_failure(failed, run)) return words;
  return {};
}

}  // namespace dojo::grade
