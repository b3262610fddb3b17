#include "grade/references.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "core/compile/compiler.hpp"
#include "core/counters.hpp"
#include "core/error.hpp"
#include "grade/cluster/shared_work.hpp"
#include "grade/secret.hpp"
#include "run/reference_cache.hpp"
#include "run/student/originals.hpp"
#include "run/verdict/mistakes.hpp"

namespace dojo::grade {

namespace {

/// A correct kernel that needs thirty times the reference is no kernel to wait for; below a second of work
/// no file is stopped.
constexpr double times_the_reference = 30, least_limit = 45e6;

/// Looks at a plan that another task makes, before this one makes it too: that task's node may be gone.
constexpr int most_looks = 600;
constexpr auto between_looks = std::chrono::milliseconds(100);

}  // namespace

uint64_t most_instructions(double of_the_reference) {
  return uint64_t(std::max(least_limit, times_the_reference * of_the_reference));
}

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
  // Not the secret itself: the request goes to the process that runs the student's file.
  if (!options_.secret.empty()) r.gate_draw = hidden_seed(options_.secret, "gates|" + step.id(), 0) | 1;
  r.max_warp_instructions = plan.most_instructions;
  r.every_gate = true;
  r.default_bounds = false;
  return r;
}

References::StepPlan References::make(const Step& as_made, const Size& pinned, const Ask& ask) const {
  Step step = as_made;
  if (!pinned.empty()) step.size = pinned;
  const int wanted = options_.seeds > 0 ? options_.seeds : options_.course.seeds;
  const auto source = read_file(catalog_.reference_file(step));
  prepare_compiler(step.arch);  // the workers' compilers are enclosed
  StepPlan plan;
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
        plan.inputs.push_back(input);
        plan.references.push_back(std::move(report.runs[0]));
        most = std::max(most, total(plan.references.back(), "instructions"));
        continue;
      }
      why = report.runs.empty() ? "no report" : to_string(report.runs[0].status);
      if (!report.runs.empty() && !report.runs[0].diagnostics.empty())
        why += ": " + report.runs[0].diagnostics[0].message;
    } catch (const Error& error) {
      if (error.exit == 130 || error.exit == 71) throw;  // stopped, or the machine failed
      why = error.what();
    }
    // An input that the reference doesn't pass can't be asked of a student; the visible one is kept anyway.
    if (i == 0) {
      plan.inputs.push_back(input);
      plan.references.emplace_back();
    }
    plan.notes.push_back(fmt::format("{}: the reference does not pass on input {} ({}){}", step.id(), i,
                                     clean_text(why, 300), i == 0 ? "" : "; that input is left out"));
    if (options_.note) options_.note(plan.notes.back());
  }
  plan.most_instructions = grade::most_instructions(most);
  plan.starter_report = run_starter(step, plan, ask);
  if (!plan.starter_report.runs.empty()) plan.starter = starter_of(plan.starter_report.runs[0]);
  return plan;
}

Report References::run_starter(const Step& step, const StepPlan& plan, const Ask& ask) const {
  const auto source = run::starter_text(catalog_, step);
  if (!source || plan.inputs.empty()) return {};
  return ask(request(step, plan, plan.inputs[0], step.file, *source));
}

References::StepPlan References::made_once(const Step& step, const Size& pinned, const Ask& ask) const {
  if (!options_.shared) return make(step, pinned, ask);
  const std::string name = SharedWork::unit("plan", step.id());
  for (int look = 0;; ++look) {
    if (const auto text = options_.shared->load(name)) try {
        return plan_from_json(*text);
      } catch (const Error&) {  // damaged: as good as none
        break;
      }
    if (options_.shared->claim(name) || look == most_looks) break;
    if (options_.stopped && options_.stopped()) throw Error("stopped", 130);
    std::this_thread::sleep_for(between_looks);
  }
  StepPlan plan = make(step, pinned, ask);
  options_.shared->store(name, to_json(plan));
  return plan;
}

const References::StepPlan& References::plan(const Step& step, const CourseStep& wanted, const Ask& ask) {
  Entry& e = entry(step);
  std::call_once(e.once, [&] {
    e.begun = true;
    e.plan = made_once(step, wanted.size, ask);
    const auto passes = [](const RunReport& r) { return !r.who.empty() && r.status == Status::pass; };
    if (std::none_of(e.plan.references.begin(), e.plan.references.end(), passes))
      throw CourseFailure(fmt::format(
          "{}; it passes on no input, so no grade is right. Change the step's size or the limits in "
          "course.toml, or take the step out of the course",
          e.plan.notes.empty() ? step.id() + ": the reference has no inputs" : e.plan.notes.front()));
    e.there = true;
  });
  return e.plan;
}

bool References::being_made(const Step& step) {
  const Entry& e = entry(step);
  if (e.there) return false;
  if (e.begun) return true;
  const std::string name = SharedWork::unit("plan", step.id());
  return options_.shared && options_.shared->others(name) && !options_.shared->load(name);
}

std::vector<References::Mistake> References::run_mistakes(const Step& step, const StepPlan& plan,
                                                          size_t input, const Ask& ask) const {
  const std::string name = SharedWork::unit("mistakes", fmt::format("{}/{}", step.id(), input));
  if (options_.shared)
    if (const auto text = options_.shared->load(name)) try {
        return mistakes_from_json(*text);
      } catch (const Error&) {  // damaged: as good as none
      }
  std::vector<Mistake> made;
  for (const run::StoredMistake& m : run::stored_mistakes(catalog_, step)) {
    // Only these are ever compared (mistake()); what never ends needn't be waited for.
    const std::string expected = run::parse_expected(m.expect).status;
    const auto source = read_file(m.file);
    if (!source || input >= plan.inputs.size() || expected == "timeout" || expected == "compile_error")
      continue;
    // With a submission's own limits: whether a mistake is known must not depend on the machine.
    const run::RunRequest r = request(step, plan, plan.inputs[input], step.file, *source);
    try {
      Report report = ask(r);
      if (!report.runs.empty()) made.push_back({m.words, *source, std::move(report.runs[0])});
    } catch (const Error& error) {
      if (error.exit == 130) throw;
    }
  }
  if (options_.shared) options_.shared->store(name, to_json(made));
  return made;
}

std::string References::mistake(const Step& step, size_t input, const RunReport& failed,
                                const std::string& source, const Ask& ask) {
  // Where a run was when its time was up depends on the machine, so that nothing can be told from it.
  if (failed.status != Status::wrong && failed.status != Status::finding &&
      failed.status != Status::gate_failed)
    return {};
  Entry& e = entry(step);
  const std::lock_guard lock(e.mutex);
  auto known = e.mistakes.find(input);
  if (known == e.mistakes.end())
    known = e.mistakes.emplace(input, run_mistakes(step, e.plan, input, ask)).first;
  const std::string untouched = run::starter_text(catalog_, step).value_or("");
  std::optional<run::Failure> starter;
  if (const auto& runs = e.plan.starter_report.runs; input == 0 && !runs.empty())  // on the first input
    starter.emplace(run::Failure{runs[0], untouched});
  for (const Mistake& m : known->second)
    if (run::shows_mistake({failed, source}, {m.run, m.source}, starter)) return m.words;
  return {};
}

}  // namespace dojo::grade
