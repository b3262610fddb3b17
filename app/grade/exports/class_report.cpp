#include "grade/exports/class_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/text/escape.hpp"
#include "grade/book/rules.hpp"
#include "grade/grader.hpp"

namespace dojo::grade {
namespace {

constexpr const char* kHead =
    R"(<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>{0}</title><style>
body{{font:15px/1.5 Inter,system-ui,sans-serif;max-width:1280px;margin:2rem auto;padding:0 1rem;
color:#1c2430;background:#fff}}
h1{{font-size:1.6rem}}h2{{font-size:1.15rem;margin-top:2.2rem}}table{{border-collapse:collapse;width:100%}}
td,th{{text-align:left;padding:.45rem .7rem;border-bottom:1px solid #dde3ea;vertical-align:top}}
th{{font-weight:600;color:#445062;white-space:nowrap}}td.step{{white-space:nowrap}}td.why{{min-width:22rem}}
td.n,th.n{{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}}
.bar{{display:flex;height:14px;width:160px;margin-top:5px;border-radius:3px;
overflow:hidden;background:#eef1f5}}
.hist{{display:flex;align-items:flex-end;gap:2px;height:26px}}
.hist i{{display:block;width:14px;background:#5b7fa6;min-height:1px}}
.cells{{display:flex;gap:3px;flex-wrap:wrap;margin-top:5px}}
.cells i{{display:block;width:14px;height:14px;border-radius:2px}}
td.end,th.end{{width:99%}}
.key{{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;color:#445062;margin:.8rem 0}}
.key b{{display:inline-block;width:12px;height:12px;border-radius:2px;margin-right:.4rem}}
.pass{{background:#2b7a4b}}.gate_failed{{background:#d9a514}}.wrong{{background:#c2410c}}
.finding{{background:#8e2a5c}}.flagged{{background:#3f5fbf}}.stopped{{background:#5a6675}}
.missing{{background:#c3cad3}}
.not_graded{{background:#fff;box-shadow:inset 0 0 0 2px #5a6675}}.left_out{{opacity:.3}}
p.note,.small{{color:#5a6675}}.small{{font-size:13px}}
ol.p{{margin:0;padding-left:1.2rem}}ol.p li+li{{margin-top:.4rem}}
</style></head><body><h1>{0}</h1>
)";

/// The outcomes as the bars show them, best first.
struct Outcome {
  const char *name, *words;
  std::vector<RowStatus> statuses;
};
const std::vector<Outcome>& outcomes() {
  static const std::vector<Outcome> all = {
      {"pass", "passed", {RowStatus::pass}},
      {"gate_failed", "right, a gate failed", {RowStatus::gate_failed}},
      {"wrong", "wrong results", {RowStatus::wrong}},
      {"finding", "a finding: race, out of bounds, ...", {RowStatus::finding}},
      {"flagged", "flagged: less work than needed", {RowStatus::flagged}},
      {"stopped",
       "did not compile, a limit, a crash",
       {RowStatus::compile_error, RowStatus::timeout, RowStatus::crash}},
      {"not_graded", "not graded: the machine failed", {RowStatus::not_graded}},
      {"missing", "no file found", {RowStatus::missing}},
  };
  return all;
}

/// The outcome that a status counts as.
const Outcome& outcome_of(RowStatus status) {
  for (const auto& o : outcomes())
    if (std::find(o.statuses.begin(), o.statuses.end(), status) != o.statuses.end()) return o;
  return outcomes().back();
}

/// What the rows of one step say together.
struct StepSummary {
  int all = 0, excused = 0;  ///< of the excused nothing else is counted
  double points = 0;
  std::map<std::string, int> by_outcome;
  std::array<int, 5> histogram{};  ///< of the share of points, in fifths
  struct Problem {
    int times = 0;
    std::string student, message;  ///< of the first who had it
  };
  std::map<std::string, Problem> problems;

  void add(const Row& r) {
    if (r.excused) {
      ++excused;
      return;
    }
    ++all;
    points += r.points;
    ++by_outcome[outcome_of(r.status).name];
    const double share = r.max_points > 0 ? r.points / r.max_points : r.status == RowStatus::pass;
    ++histogram[size_t(std::clamp(share * 5, 0.0, 4.0))];
    if (r.status == RowStatus::pass || r.status == RowStatus::missing) return;
    Problem& p = problems[r.problem.empty() ? to_string(r.status) : r.problem];
    // The mistake's words are the problem's name already.
    if (p.times++ == 0) p.student = r.student, p.message = r.message.substr(0, r.message.find(mistake_words));
  }
  std::vector<std::pair<std::string, Problem>> commonest(size_t most) const {
    std::vector<std::pair<std::string, Problem>> list(problems.begin(), problems.end());
    std::stable_sort(list.begin(), list.end(),
                     [](const auto& a, const auto& b) { return a.second.times > b.second.times; });
    if (list.size() > most) list.resize(most);
    return list;
  }
};

std::string step_line(const CourseStep& c, const StepSummary& s) {
  std::string html = fmt::format("<tr><td class=step>{}</td><td><div class=bar>", escape_markup(c.step));
  for (const auto& o : outcomes())
    if (const auto n = s.by_outcome.find(o.name); n != s.by_outcome.end())
      html += fmt::format("<div class={} style=\"width:{:.2f}%\" title=\"{}: {}\"></div>", o.name,
                          100.0 * n->second / s.all, o.words, n->second);
  html += "</div></td><td><div class=hist>";
  const int highest = std::max(1, *std::max_element(s.histogram.begin(), s.histogram.end()));
  static const char* const ranges[] = {"below 20 %", "20 to 40 %", "40 to 60 %", "60 to 80 %", "80 to 100 %"};
  for (size_t k = 0; k < s.histogram.size(); ++k)
    html += fmt::format("<i style=\"height:{:.0f}px\" title=\"{} of the points: {}\"></i>",
                        26.0 * s.histogram[k] / highest, ranges[k], s.histogram[k]);
  const auto passed = s.by_outcome.find("pass");
  html += fmt::format("</div></td><td class=n>{} of {}", passed == s.by_outcome.end() ? 0 : passed->second,
                      s.all);
  if (s.excused) html += fmt::format("<br><span class=small>{} excused</span>", s.excused);
  html +=
      s.all ? fmt::format("</td><td class=n>{:.1f} of {:.6g}</td><td class=why>", s.points / s.all, c.points)
            : "</td><td class=n>–</td><td class=why>";
  const auto common = s.commonest(3);
  if (!common.empty()) html += "<ol class=p>";
  for (const auto& [words, p] : common)
    html += fmt::format("<li>{} ({}x)<br><span class=small>{}: {}</span></li>", escape_markup(words), p.times,
                        escape_markup(p.student), escape_markup(p.message));
  return html + (common.empty() ? "" : "</ol>") + "</td></tr>\n";
}

std::string students(const std::vector<Row>& rows) {
  struct Total {
    double points = 0, most = 0;
    int passed = 0, all = 0;
    std::string cells;  ///< one a step, in the course's order
  };
  std::map<std::string, Total> totals;
  for (const auto& r : rows) {
    Total& t = totals[r.student];
    if (r.counts) t.points += r.points, t.most += r.max_points;
    t.passed += r.status == RowStatus::pass;
    ++t.all;
    const Outcome& o = outcome_of(r.status);
    std::string why = r.status == RowStatus::missing && !r.message.empty() ? r.message : o.words;
    if (!r.counts) why = r.comment + " (" + why + ")";
    t.cells += fmt::format("<i class={} title=\"{}: {}\"></i>",
                           r.counts ? o.name : fmt::format("\"{} left_out\"", o.name),
                           escape_markup(r.lab + "/" + r.step), escape_markup(why));
  }
  std::string html =
      "<h2>Students</h2><table><tr><th>student</th><th class=n>steps passed</th><th "
      "class=n>points</th><th>of all</th>"
      "<th class=end>steps, in the order above</th></tr>\n";
  for (const auto& [student, t] : totals)
    html += fmt::format(
        "<tr><td class=step>{}</td><td class=n>{} of {}</td><td class=n>{:.1f} of {:.6g}</td><td><div "
        "class=bar><div class=pass "
        "style=\"width:{:.2f}%\"></div></div></td><td><div class=cells>{}</div></td></tr>\n",
        escape_markup(student), t.passed, t.all, t.points, t.most,
        t.most > 0 ? std::min(100.0, 100 * t.points / t.most) : 0, t.cells);
  return html +
         "</table><p class=note>Of all: the share of the points of the steps that count for the student. "
         "Pale squares are excused or dropped.</p>\n";
}

std::string alike(const std::vector<Pair>& pairs) {
  std::string html = "<h2>Sources that look alike</h2>\n";
  if (pairs.empty()) {
    html += "<p>None above the threshold.</p>\n";
  } else {
    std::vector<Pair> sorted = pairs;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Pair& a, const Pair& b) { return a.share > b.share; });
    html +=
        "<table><tr><th>step</th><th>students</th><th class=n>in common</th><th>longest passage in "
        "common</th></tr>\n";
    for (const auto& p : sorted)
      html += fmt::format(
          "<tr><td class=step>{}{}</td><td>{}, {}</td><td class=n>{:.0f} %</td><td>lines {} to {}, {} to "
          "{}</td></tr>\n",
          escape_markup(p.step), p.other_step.empty() ? "" : " and " + escape_markup(p.other_step),
          escape_markup(p.a), escape_markup(p.b), 100 * p.share, p.a_first, p.a_last, p.b_first, p.b_last);
    html += "</table>\n";
  }
  return html +
         "<p class=note>A hint to read two sources side by side, never a verdict: short kernels have few "
         "ways "
         "to be right. What the handed-out file and the reference have is not counted.</p>\n";
}

}  // namespace

std::string class_report(const Course& course, const std::vector<Row>& rows, const std::vector<Pair>& pairs) {
  std::map<std::string, StepSummary> steps;
  std::map<std::string, int> people;
  for (const auto& r : rows) {
    steps[r.lab + "/" + r.step].add(r);
    ++people[r.student];
  }
  double most = 0;
  for (const auto& c : course.steps) most += c.points;
  std::string html = fmt::format(fmt::runtime(kHead), escape_markup(course.title));
  html += fmt::format("<p>{} students, {} steps, {:.6g} points at most. Model version {}. Sandbox: {}.</p>\n",
                      people.size(), course.steps.size(), most,
                      escape_markup(rows.empty() ? "-" : rows.front().model_version),
                      escape_markup(course.sandbox.empty() ? "none" : course.sandbox));
  html += "<h2>Steps</h2><div class=key>";
  for (const auto& o : outcomes()) html += fmt::format("<span><b class={}></b>{}</span>", o.name, o.words);
  html +=
      "</div><table><tr><th>step</th><th>outcome</th><th>points</th><th class=n>passed</th><th "
      "class=n>mean</th><th>commonest problems, and whose file shows one</th></tr>\n";
  for (const auto& c : course.steps)
    if (const auto s = steps.find(c.step); s != steps.end()) html += step_line(c, s->second);
  html +=
      "</table><p class=note>Points: how many students got below a fifth of the points, the next fifth, and "
      "so on "
      "to all.</p>\n";
  return html + students(rows) + alike(pairs) + "</body></html>\n";
}

}  // namespace dojo::grade
