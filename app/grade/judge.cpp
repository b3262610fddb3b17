// From reports to points: right results first, then what the gates ask for.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/gates/gate.hpp"
#include "core/text/numbers.hpp"
#include "grade/grader.hpp"
#include "run/step/poison.hpp"
#include "run/verdict/default_bounds.hpp"
#include "run/verdict/shown.hpp"

namespace dojo::grade {
namespace {

constexpr size_t problem_bytes = 400;

/// The text without numbers of so many digits or more, which could tell a hidden size: "n[...]". Digits
/// behind a decimal point count, too.
std::string without_sizes(const std::string& text, size_t least_digits = 3) {
  auto digit = [&](size_t i) { return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])); };
  auto word = [&](size_t i) { return std::isalpha(static_cast<unsigned char>(text[i])) || text[i] == '_'; };
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const bool starts = digit(i) && (i == 0 || (!word(i - 1) && !digit(i - 1) && text[i - 1] != '.'));
    if (!starts) {
      out += text[i++];
      continue;
    }
    // "16 382" and "4,194,304" are one number.
    size_t end = i, digits = 0;
    for (; digit(end) ||
           ((text[end] == ' ' || text[end] == ',') && digit(end + 1) && digit(end + 2) && digit(end + 3));
         ++end)
      digits += digit(end);
    if (end < text.size() && text[end] == '.' && digit(end + 1))
      for (++end; digit(end); ++end) ++digits;
    const bool hex = text[i] == '0' && end < text.size() && text[end] == 'x';
    while (hex && end < text.size() && std::isalnum(static_cast<unsigned char>(text[end]))) ++end;
    out += digits >= least_digits || hex ? "..." : text.substr(i, end - i);
    i = end;
  }
  return out;
}

/// The words of a stored wrong version that fails alike, as the runner found it.
std::string mistake(const RunReport& r) {
  for (const auto& d : r.diagnostics)
    if (d.kind == FindingKind::mistake) return mistake_words + d.message;
  return {};
}

/// A message and what is known of it, as sentences.
std::string and_then(std::string message, const std::string& known) {
  if (!known.empty() && !message.empty() && std::string(".!?").find(message.back()) == std::string::npos)
    message += '.';
  return message + known;
}

/// `hidden`: the run was on a hidden input. Values that the file has stored are left out then: they may be
/// the size itself. At a hidden place the number of SMs would tell the device, so all numbers are left out.
std::string first_problem(const RunReport& r, bool hidden) {
  const auto shown = [&](const std::string& message) {
    return hidden ? without_sizes(message, r.at_hidden_place ? 1 : 3) : message;
  };
  if (const Diagnostic* d = first_error(r.diagnostics)) {
    // The argument of exit() is the student's own: two digits of it tell a size in a few submissions.
    const std::string message =
        hidden && d->kind == FindingKind::exit ? without_sizes(d->message, 1) : shown(d->message);
    return d->where.line
               ? fmt::format("{}:{}: {}", fs::path(d->where.file).filename().string(), d->where.line, message)
               : message;
  }
  if (r.check.wrong > 0 && !r.check.mismatches.empty()) {
    const auto& m = r.check.mismatches.front();
    if (hidden)
      return "results are wrong at a hidden size: elements of " + m.buffer +
             (never_written(m) ? " were not written" : " have other values");
    // Nine digits tell floats apart.
    const std::string got = never_written(m) ? "was not written" : fmt::format("is {:.9g}", m.got);
    return fmt::format("{} of the results {} wrong; {}[{}] {}, expected {:.9g}",
                       grouped(double(r.check.wrong)), r.check.wrong == 1 ? "is" : "are", m.buffer, m.index,
                       got, m.expected);
  }
  if (r.inputs_changed) return "an input was changed: inputs are read, results go to the outputs";
  if (r.status == Status::timeout) return "the time limit was reached";
  if (r.status == Status::crash) return "the program crashed its worker";
  return {};
}

/// The same in few words, without lines and figures, so that equal mistakes count as equal.
std::string problem_of(const RunReport& r) {
  for (const auto& d : r.diagnostics)
    if (d.kind == FindingKind::mistake) return "known mistake: " + d.message;
  if (r.status == Status::compile_error) return "does not compile";
  if (r.status == Status::timeout) return "never ends, or needs many times the reference's instructions";
  if (const Diagnostic* d = first_error(r.diagnostics)) {
    std::string words = to_string(d->kind);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
  }
  if (r.check.wrong > 0) return "wrong results";
  if (r.inputs_changed) return "an input was changed";
  return to_string(r.status);
}

/// A gate's part of the points that gates share, as the course says, else as the lab does.
double weight_of(const GateReport& g, const CourseStep& course_step, const Step& step) {
  if (const auto it = course_step.gate_weights.find(g.name); it != course_step.gate_weights.end())
    return it->second;
  for (const GateDef& def : step.gates)
    if (def.expr == g.name) return def.weight;
  return 1;
}

/// Why right results earn nothing: the first default bound that is broken. Empty: they do.
std::string not_worked_for(const Step& step, const RunReport& run, const RunReport& reference) {
  const std::vector<GateReport> broken = run::broken_bounds(step, run, reference);
  if (broken.empty()) return {};
  const GateReport& g = broken.front();
  const std::string name = g.name.substr(std::string(run::default_bound).size());
  return fmt::format("{} ({} is {}, {} {})", g.words.substr(0, g.words.find('.')),
                     name.substr(0, name.find(' ')), number(g.value), bound_text(g),
                     g.op == ">=" ? "is needed" : "is allowed");
}

/// The run that decides about the results: the first that is not right, else the gated one.
const RunReport* deciding_run(const std::vector<Report>& reports) {
  for (const auto& r : reports)
    if (const RunReport* run = student_run(r); run && !correct(*run)) return run;
  return reports.empty() ? nullptr : student_run(reports.front());
}

/// Why right results were not worked for, on any input. Only the first input is public: sizes of the others
/// are left out.
std::string unearned(const Step& step, const std::vector<Report>& reports,
                     const std::vector<RunReport>& references) {
  for (size_t i = 0; i < reports.size() && i < references.size(); ++i)
    if (const RunReport* run = student_run(reports[i]))
      if (std::string words = not_worked_for(step, *run, references[i]); !words.empty())
        return i > 0 ? without_sizes(words) : words;
  return {};
}

/// How a step's points are shared: so many for the results, the rest by the gates' weights.
class Shares {
 public:
  Shares(const CourseStep& course_step, const Course& course, const Step& step, const Starter& starter,
         const std::vector<GateReport>& gates)
      : course_step_(course_step), step_(step), starter_(starter) {
    for (const GateReport& g : gates) weights_ += counts(g);
    const double share = course_step.correct_share < 0 ? course.correct_share : course_step.correct_share;
    for_results_ = weights_ > 0 ? course_step.points * share : course_step.points;
  }
  double for_results() const { return for_results_; }
  double for_gate(const GateReport& g) const {
    return weights_ > 0 ? (course_step_.points - for_results_) * (counts(g) / weights_) : 0;
  }

 private:
  /// A gate that the starter meets gives nothing when it passes, and costs its part when it fails.
  double counts(const GateReport& g) const {
    return g.pass && starter_.meets(g.name) ? 0 : weight_of(g, course_step_, step_);
  }

  const CourseStep& course_step_;
  const Step& step_;
  const Starter& starter_;
  double weights_ = 0, for_results_ = 0;
};

/// `shown`: what is wrong, empty for right results that were worked for.
Check judge_results(const RunReport& run, size_t inputs, bool right, double points, const Starter& starter,
                    const std::string& shown) {
  Check c{"right results", right, 0, points, shown};
  if (!right) return c;
  const bool earned = results_earned(starter, run);
  c.points = earned ? points : 0;
  c.message =
      fmt::format("right on {} input{}, no finding{}", inputs, inputs == 1 ? "" : "s",
                  earned ? "" : "; so are the unsolved file's: 0 points until a gate passes that it fails");
  return c;
}

Check judge_gate(const GateReport& g, bool right, double points, const Starter& starter) {
  Check c{g.name, g.pass && right, 0, points, g.words};
  // The numbers could tell which place that is.
  const std::string figures = g.at_hidden_place
                                  ? "judged at a hidden place"
                                  : fmt::format("is {}, asked for {}", number(g.value), bound_text(g));
  if (c.passed) {
    c.points = c.max_points;
    c.message = figures;
    if (starter.meets(g.name)) c.message += "; met by the starter: 0 points";
  } else if (!right) {
    c.message = "counts only with right results";
  } else {
    c.message = figures + ". " + g.words;
  }
  return c;
}

Row empty_row(const CourseStep& course_step, const Step& step) {
  Row row;
  row.lab = step.lab;
  row.step = step.stem();
  row.max_points = course_step.points;
  row.deadline = course_step.deadline;
  row.hidden = course_step.hidden;
  row.visibility = course_step.visibility;
  return row;
}

}  // namespace

// Here and not in row.cpp, which warpdojo-verdicts links without the rooms below.
RowStatus row_status(Status s) { return row_status(std::string(to_string(s))); }

Row judge(const CourseStep& course_step, const Course& course, const Step& step,
          const std::vector<Report>& reports, const std::vector<RunReport>& references,
          const Starter& starter) {
  Row row = empty_row(course_step, step);
  const RunReport* gated = reports.empty() ? nullptr : student_run(reports.front());
  const RunReport* worst = deciding_run(reports);
  if (!worst) {
    row.status = RowStatus::crash;
    row.message = "the run gave no report";
    row.problem = "no report";
    row.checks.push_back({"right results", false, 0, row.max_points, row.message});
    return row;
  }
  const GateReport* elsewhere = gated && correct(*worst) ? wrong_elsewhere(*gated) : nullptr;
  const std::string floor = correct(*worst) && !elsewhere ? unearned(step, reports, references) : "";
  const std::string known = mistake(*worst);
  const bool right = correct(*worst) && floor.empty() && !elsewhere;
  row.status = !floor.empty() ? RowStatus::flagged : elsewhere ? RowStatus::wrong : row_status(worst->status);
  row.time_us = gated ? gated->time_us.value : 0;
  row.model_version = reports.front().device.model_version;
  row.message = clean_text(!floor.empty() ? floor
                           : elsewhere    ? elsewhere->name + ": " + elsewhere->words
                                          : first_problem(*worst, worst != gated || worst->at_hidden_place),
                           600);
  if (!correct(*worst)) row.message = clean_text(and_then(row.message, known), 900);
  if (!floor.empty())
    row.problem = "less work than the problem needs, or work on the host";
  else if (elsewhere)
    row.problem = "wrong results";
  else if (!right)
    row.problem = clean_text(problem_of(*worst), problem_bytes);

  const std::vector<GateReport> gates = gated ? gated->gates : std::vector<GateReport>();
  const Shares shares(course_step, course, step, starter, gates);
  row.checks.push_back(
      judge_results(*worst, reports.size(), right, shares.for_results(), starter, row.message));
  for (const GateReport& g : gates) {
    const Check c = judge_gate(g, right, shares.for_gate(g), starter);
    if (right && !c.passed) {
      if (row.message.empty()) row.message = clean_text(and_then(c.name + ": " + c.message, known), 900);
      if (row.problem.empty())
        row.problem = clean_text(known.empty() ? "gate " + c.name : problem_of(*worst), problem_bytes);
    }
    row.checks.push_back(c);
  }
  for (const auto& c : row.checks) row.points += c.points;
  if (right && row.status == RowStatus::pass) row.points = course_step.points;  // no rounding of shares
  return row;
}

}  // namespace dojo::grade
