#include "run/verdict/mistakes.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "run/verdict/roles.hpp"
#include "run/verdict/seen_at.hpp"

namespace dojo::run {
namespace {

/// What each finding says happened, with the names of its file, or with what they stand for. Which threads
/// and elements met in a race, and by which size it was seen, depends on more than the mistake: there numbers
/// don't count. But whether a line raced with itself does: a barrier may be missing before the loop, or in
/// it.
std::set<std::string> findings_of(const RunReport& r, const Roles* roles) {
  static const std::regex numbers("[0-9][0-9,]*"), lines("line [0-9]+");
  std::set<std::string> all;
  for (const auto& d : r.diagnostics) {
    if (d.severity != Severity::error) continue;
    std::string what = without_seen_at(d.message);
    if (roles) what = roles->in_words(what, d.kernel);
    what = std::regex_replace(what, d.kind == FindingKind::race ? numbers : lines, "#");
    const bool alone = std::all_of(d.related.begin(), d.related.end(),
                                   [&](const Related& o) { return o.where.line == d.where.line; });
    all.insert(std::string(to_string(d.kind)) + " in " + d.kernel + (alone ? ": " : " between lines: ") +
               what);
  }
  return all;
}

bool same_findings(const Failure& a, const Failure& b) {
  if (findings_of(a.run, nullptr) == findings_of(b.run, nullptr)) return true;
  const Roles one(a.source), two(b.source);
  return findings_of(a.run, &one) == findings_of(b.run, &two);
}

bool same_number(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool same_mismatches(const RunReport& a, const RunReport& b) {
  return a.check.wrong == b.check.wrong &&
         std::equal(a.check.mismatches.begin(), a.check.mismatches.end(), b.check.mismatches.begin(),
                    b.check.mismatches.end(), [](const Mismatch& x, const Mismatch& y) {
                      return x.buffer == y.buffer && x.index == y.index && same_number(x.got, y.got);
                    });
}

bool same_gates(const RunReport& a, const RunReport& b) {
  return std::equal(a.gates.begin(), a.gates.end(), b.gates.begin(), b.gates.end(),
                    [](const GateReport& x, const GateReport& y) {
                      // Another spelling of the same idea moves a figure a little.
                      return x.name == y.name && x.pass == y.pass &&
                             (x.pass || std::fabs(x.value - y.value) <=
                                            0.05 * std::max(std::fabs(x.value), std::fabs(y.value)));
                    });
}

/// 0: equal; 1: nothing in common.
double apart(double a, double b) {
  const double most = std::max(std::fabs(a), std::fabs(b));
  return most > 0 ? std::fabs(a - b) / most : 0;
}

/// How unlike two runs are: a sum over the launches' counters and extents. What one run lacks counts as 0.
double unlikeness(const RunReport& a, const RunReport& b) {
  const LaunchReport none;
  double sum = 0;
  for (size_t i = 0; i < std::max(a.launches.size(), b.launches.size()); ++i) {
    const LaunchReport& x = i < a.launches.size() ? a.launches[i] : none;
    const LaunchReport& y = i < b.launches.size() ? b.launches[i] : none;
    sum += apart(double(x.grid.count()), double(y.grid.count())) +
           apart(double(x.block.count()), double(y.block.count()));
    Counters both = x.counters;
    both.insert(y.counters.begin(), y.counters.end());
    for (const auto& [name, value] : both) {
      const auto p = x.counters.find(name), q = y.counters.find(name);
      sum += apart(p == x.counters.end() ? 0 : p->second, q == y.counters.end() ? 0 : q->second);
    }
  }
  return sum;
}

}  // namespace

StoredMistake read_mistake(const fs::path& file) {
  StoredMistake m;
  m.file = file;
  std::ifstream in(file);
  std::string text;
  for (int k = 0; k < 6 && std::getline(in, text); ++k)
    for (auto [key, field] :
         {std::pair{"// wrong: ", &m.step}, {"// mistake: ", &m.words}, {"// expect: ", &m.expect}})
      if (text.starts_with(key)) *field = text.substr(std::string(key).size());
  return m;
}

Expected parse_expected(const std::string& expect) {
  Expected e;
  std::istringstream words(expect);
  words >> e.status;
  for (std::string word; words >> word;) {
    if (word == "line")
      words >> e.line;
    else if (word == "gate") {
      std::getline(words, e.gate);
      e.gate.erase(0, e.gate.find_first_not_of(' '));
    } else
      e.kind = word;
  }
  return e;
}

std::string unlike_expected(const std::string& expect, const RunReport& r) {
  const Expected w = parse_expected(expect);
  if (w.status != to_string(r.status)) return "expected " + expect;
  if (!w.kind.empty() || w.line) {
    const bool found = std::any_of(r.diagnostics.begin(), r.diagnostics.end(), [&](const Diagnostic& d) {
      auto here = [&](const SourceLoc& at) { return w.line == 0 || at.line == w.line; };
      const bool there = here(d.where) || std::any_of(d.related.begin(), d.related.end(),
                                                      [&](const Related& o) { return here(o.where); });
      return (w.kind.empty() || to_string(d.kind) == w.kind) && there;
    });
    if (!found) return "expected " + expect;
  }
  if (!w.gate.empty()) {
    const bool failed = std::any_of(r.gates.begin(), r.gates.end(),
                                    [&](const GateReport& g) { return g.name == w.gate && !g.pass; });
    if (!failed) return "expected the gate '" + w.gate + "' to fail";
  }
  return {};
}

std::vector<StoredMistake> stored_mistakes(const Catalog& catalog, const Step& step) {
  std::vector<StoredMistake> out;
  const fs::path folder = catalog.root / "tests" / "wrong" / catalog.lab_of(step).folder.filename();
  const std::string prefix = step.stem() + "--";
  std::error_code ec;
  for (const auto& e : fs::directory_iterator(folder, ec)) {
    if (!e.path().filename().string().starts_with(prefix)) continue;
    if (StoredMistake m = read_mistake(e.path()); !m.words.empty()) out.push_back(std::move(m));
  }
  std::sort(out.begin(), out.end(),
            [](const StoredMistake& a, const StoredMistake& b) { return a.file < b.file; });
  return out;
}

bool same_failure(const Failure& a, const Failure& b) {
  if (a.run.status != b.run.status) return false;
  switch (a.run.status) {
    case Status::wrong:
      return a.run.inputs_changed == b.run.inputs_changed && same_mismatches(a.run, b.run);
    case Status::finding:
      return same_findings(a, b) && same_mismatches(a.run, b.run);
    case Status::timeout:
      return same_findings(a, b);
    case Status::gate_failed:
      return same_gates(a.run, b.run);
    default:
      return false;
  }
}

bool shows_mistake(const Failure& failed, const Failure& mistake, const std::optional<Failure>& starter) {
  if (!same_failure(failed, mistake)) return false;
  return !starter || !same_failure(failed, *starter) ||
         unlikeness(failed.run, mistake.run) < unlikeness(failed.run, starter->run);
}

}  // namespace dojo::run
