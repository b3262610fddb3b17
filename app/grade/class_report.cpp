#include "grade/class_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace dojo::grade {
namespace {

std::string escaped(const std::string& s) {
  std::string out;
  for (char c : s) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

constexpr const char* kHead =
    R"(<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{0}</title><style>
body{{font:15px/1.5 Inter,system-ui,sans-serif;max-width:960px;margin:2rem auto;padding:0 1rem;color:#1c2430}}
h1{{font-size:1.6rem}}h2{{font-size:1.15rem;margin-top:2rem}}table{{border-collapse:collapse;width:100%}}
td,th{{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #dde3ea;vertical-align:top}}
td.n,th.n{{text-align:right;font-variant-numeric:tabular-nums}}.bar{{display:flex;height:14px;width:220px;border-radius:3px;overflow:hidden;background:#eef1f5}}
.pass{{background:#2b7a4b}}.gate_failed{{background:#d9a514}}.wrong{{background:#c2410c}}.other{{background:#8b95a3}}
p.note{{color:#5a6675}}</style></head><body><h1>{0}</h1>
)";

}  // namespace

std::string class_report(const Course& course, const std::vector<Row>& rows, const std::vector<Pair>& pairs) {
  std::string html = fmt::format(fmt::runtime(kHead), escaped(course.title));
  std::map<std::string, double> totals;
  double most = 0;
  for (const auto& c : course.steps) most += c.points;
  for (const auto& r : rows) totals[r.student] += r.points;
  html += fmt::format("<p>{} students, {} steps, {:.6g} points at most. Model version {}. Sandbox: {}.</p>\n",
                      totals.size(), course.steps.size(), most,
                      escaped(rows.empty() ? "-" : rows.front().model_version),
                      escaped(course.sandbox.empty() ? "none" : course.sandbox));

  html +=
      "<h2>Steps</h2><table><tr><th>step</th><th>outcome</th><th class=n>passed</th><th "
      "class=n>mean</th><th>most common problem</th></tr>\n";
  for (const auto& c : course.steps) {
    int all = 0;
    double points = 0;
    std::map<std::string, int> kinds, messages;
    for (const auto& r : rows) {
      if (r.lab + "/" + r.step != c.step) continue;
      ++all;
      points += r.points;
      const bool named = r.status == "pass" || r.status == "gate_failed" || r.status == "wrong";
      ++kinds[named ? r.status : "other"];
      if (r.status != "pass" && r.status != "missing") ++messages[r.message];
    }
    if (!all) continue;
    html += fmt::format("<tr><td>{}</td><td><div class=bar>", escaped(c.step));
    for (const char* kind : {"pass", "gate_failed", "wrong", "other"})
      if (kinds[kind])
        html += fmt::format("<div class={} style='width:{:.1f}%' title='{}: {}'></div>", kind,
                            100.0 * kinds[kind] / all, kind, kinds[kind]);
    std::string common;
    int times = 0;
    for (const auto& [text, n] : messages)
      if (n > times) {
        times = n;
        common = text;
      }
    html +=
        fmt::format("</div></td><td class=n>{} of {}</td><td class=n>{:.1f} of {:.6g}</td><td>{}</td></tr>\n",
                    kinds["pass"], all, points / all, c.points,
                    times ? escaped(common) + fmt::format(" ({}x)", times) : "");
  }
  html +=
      "</table><p class=note>Green: passed. Yellow: right, but a gate failed. Red: wrong results. Grey: did "
      "not compile, a finding, a limit, or nothing handed in.</p>\n";

  html += "<h2>Students</h2><table><tr><th>student</th><th class=n>points</th></tr>\n";
  for (const auto& [student, points] : totals)
    html += fmt::format("<tr><td>{}</td><td class=n>{:.6g}</td></tr>\n", escaped(student), points);
  html += "</table>\n<h2>Sources that look alike</h2>\n";
  if (pairs.empty())
    html += "<p>None above the threshold.</p>\n";
  else {
    html += "<table><tr><th>step</th><th>students</th><th class=n>in common</th></tr>\n";
    for (const auto& p : pairs)
      html += fmt::format("<tr><td>{}</td><td>{}, {}</td><td class=n>{:.0f} %</td></tr>\n", escaped(p.step),
                          escaped(p.a), escaped(p.b), 100 * p.share);
    html += "</table>\n";
  }
  html +=
      "<p class=note>A hint to read two sources side by side, never a verdict: short kernels have few ways "
      "to be right.</p></body></html>\n";
  return html;
}

}  // namespace dojo::grade
