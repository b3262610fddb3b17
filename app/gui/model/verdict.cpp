#include "gui/model/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "core/counters.hpp"
#include "core/error.hpp"
#include "core/gates/gate.hpp"
#include "core/gates/step_values.hpp"
#include "core/labs/extent.hpp"
#include "gui/model/text/typed_commas.hpp"
#include "gui/plot/axis.hpp"
#include "gui/plot/decimate.hpp"

namespace dojo::gui {

std::string for_reading(const std::string& text) {
  auto digit = [&](size_t k) { return k < text.size() && text[k] >= '0' && text[k] <= '9'; };
  auto word = [&](size_t k) {
    return k < text.size() && (std::isalnum(static_cast<unsigned char>(text[k])) || text[k] == '_' ||
                               text[k] == '.' || text[k] == '^');
  };
  std::string out;
  for (size_t k = 0; k < text.size();) {
    if (digit(k) && (k == 0 || !word(k - 1))) {
      size_t end = k;
      while (digit(end)) ++end;
      const bool whole = !word(end) || (text[end] == '.' && !digit(end + 1));
      out += whole && end - k >= 5 && end - k < 16 ? grouped(std::stod(text.substr(k, end - k)))
                                                   : text.substr(k, end - k);
      k = end;
      if (text.compare(k, 3, " us") == 0 && !word(k + 3)) out += " µs", k += 3;
      continue;
    }
    // The unit after a number with a fraction.
    if (k && digit(k - 1) && text.compare(k, 3, " us") == 0 && (!word(k + 3) || text[k + 3] == '.')) {
      out += " µs";
      k += 3;
      continue;
    }
    out += text[k++];
  }
  return out;
}

bool text_differs(const RunReport& r) {
  return r.check.mismatches.size() == 1 && r.check.mismatches[0].buffer == "printed text";
}

std::vector<const Diagnostic*> errors_first(const RunReport& r) {
  std::vector<const Diagnostic*> out;
  for (auto& d : r.diagnostics) out.push_back(&d);
  std::stable_partition(out.begin(), out.end(), [](auto* d) { return d->severity == Severity::error; });
  return out;
}

Headline headline(const RunReport& r) {
  const Diagnostic* error = first_error(r.diagnostics);
  size_t failed = size_t(std::count_if(r.gates.begin(), r.gates.end(), [](auto& g) { return !g.pass; }));
  switch (r.status) {
    case Status::pass:
      return {Tone::good, r.gates.empty() ? "Right" : "Passed",
              r.gates.empty() ? "The result is right."
                              : fmt::format("The result is right and {} hold{}.",
                                            r.gates.size() == 1 ? "the gate"
                                                                : fmt::format("all {} gates", r.gates.size()),
                                            r.gates.size() == 1 ? "s" : "")};
    case Status::gate_failed:
      if (auto* g = wrong_elsewhere(r)) return {Tone::bad, "Wrong at another size", g->words};
      return {Tone::warn, "Right, but not there yet",
              fmt::format("The result is right; {} of {} gate{} fail{}.", failed, r.gates.size(),
                          r.gates.size() == 1 ? "" : "s", failed == 1 ? "s" : "")};
    case Status::wrong:
      if (r.inputs_changed && r.check.mismatches.empty())
        return {Tone::bad, "The input was changed", "A buffer that is only to be read was written."};
      if (text_differs(r))
        for (auto& d : r.diagnostics)
          if (d.kind == FindingKind::printed) return {Tone::bad, "The printed text differs", d.message};
      return {Tone::bad, "Wrong result",
              r.check.wrong > 0
                  ? fmt::format("{} element{} out of tolerance.", grouped(double(r.check.wrong)),
                                r.check.wrong == 1 ? " is" : "s are")
                  : "The result differs from the expected one."};
    case Status::compile_error: {
      size_t n = size_t(std::count_if(r.diagnostics.begin(), r.diagnostics.end(),
                                      [](auto& d) { return d.severity == Severity::error; }));
      const bool somewhere = error && error->where.line > 0;
      return {Tone::bad, "Does not compile",
              fmt::format("{} error{}{}", n, n == 1 ? "" : "s",
                          !somewhere ? "."
                          : n == 1   ? "; click its place to go there."
                                     : "; click a place to go there.")};
    }
    case Status::finding: {
      const std::string title = error ? finding_info(error->kind).title : "";
      return {Tone::bad, title.empty() ? "A finding" : title,
              error && error->where.line ? fmt::format("Found at line {}.", error->where.line)
                                         : "Found while running."};
    }
    case Status::timeout:
      // The finding below says it in full.
      return {Tone::bad, "Out of time",
              error && error->where.line ? fmt::format("Stopped at line {}.", error->where.line)
              : error                    ? error->message
                                         : "It was stopped at the time limit. Check that every loop ends."};
    case Status::crash:
      return {Tone::bad, "The worker crashed", "This should not happen: please report it with this file."};
  }
  return {};
}

std::string size_text(const Size& s) {
  if (s.size() == 1) {
    auto& [name, v] = *s.begin();
    std::string p = power_of_two(v);
    return name + " = " + grouped(double(v)) + (p.empty() ? "" : " (" + p + ")");
  }
  std::string out;
  for (auto& [name, v] : s) out += (out.empty() ? "" : ", ") + name + " = " + grouped(double(v));
  return out;
}

std::string short_size(const Size& s) {
  std::string names, out;
  for (auto& [name, v] : s) {
    std::string p = power_of_two(v), word = p.empty() ? grouped(double(v)) : p;
    if (s.size() == 1) return word;
    names += (names.empty() ? "" : " × ") + name;
    out += (out.empty() ? "" : " × ") + (v < 100000 ? std::to_string(v) : word);
  }
  return names.empty() ? "" : names + " = " + out;
}

bool parse_number(const std::string& text, double& value) {
  std::string s;
  for (char c : text)
    if (c != ' ' && c != '\'') s += c;
  for (const char* unit : {"%", "×", "x"})
    if (s.ends_with(unit)) s.resize(s.size() - std::string(unit).size());
  if (s.empty()) return false;
  if (size_t slash = s.find('/'); slash != std::string::npos) {
    double a, b;
    if (!parse_number(s.substr(0, slash), a) || !parse_number(s.substr(slash + 1), b) || b == 0) return false;
    value = a / b;
    return true;
  }
  if (!read_commas(s)) return false;
  char* end = nullptr;
  double v = std::strtod(s.c_str(), &end);
  if (end == s.c_str()) return false;
  std::string rest = end;
  if (rest.starts_with("^")) {
    char* e2 = nullptr;
    double p = std::strtod(rest.c_str() + 1, &e2);
    if (e2 == rest.c_str() + 1 || *e2) return false;
    value = std::pow(v, p);
    return std::isfinite(value);
  }
  if (rest == "k" || rest == "K")
    v *= 1e3;
  else if (rest == "M")
    v *= 1e6;
  else if (rest == "G")
    v *= 1e9;
  else if (rest == "Ki")
    v *= 1024;
  else if (rest == "Mi")
    v *= 1048576;
  else if (!rest.empty())
    return false;
  value = v;
  return std::isfinite(v);
}

Size parse_size(const std::string& text, const Size& like) {
  Size out = like;
  std::string names;
  for (auto& [n, v] : like) names += (names.empty() ? "" : ", ") + n;
  auto value_of = [](std::string s) {
    std::erase_if(s, [](char c) { return c == ' ' || c == '\''; });  // what groups digits
    const int64_t v = read_commas(s) ? parse_extent(s) : -1;
    if (v < 0 || v > 1'000'000'000'000) throw Error("'" + s + "' is no size: 0 to 10^12");
    return v;
  };
  if (text.find('=') == std::string::npos) {
    if (like.size() != 1) throw Error("give every extent by name: " + names);
    out.begin()->second = value_of(text);
    return out;
  }
  size_t at = 0;
  while (at < text.size()) {
    size_t e = std::min(text.find_first_of(",;", at), text.size());
    std::string part = text.substr(at, e - at);
    at = e + 1;
    size_t q = part.find('=');
    std::string name = part.substr(0, q);
    name.erase(0, std::min(name.find_first_not_of(' '), name.size()));
    while (!name.empty() && name.back() == ' ') name.pop_back();
    if (name.empty() && q == std::string::npos) continue;
    if (q == std::string::npos || !like.count(name))
      throw Error("'" + name + "' is no extent of this step; it has " + names);
    out[name] = value_of(part.substr(q + 1));
  }
  return out;
}

std::vector<Size> size_choices(const Size& own) {
  std::vector<Size> out;
  if (own.empty()) return out;
  auto scaled = [&](double f) {
    Size s = own;
    // A matrix grows in all its extents alike, a list in its length.
    double each = std::pow(f, 1.0 / double(s.size()));
    for (auto& [n, v] : s) v = std::max<int64_t>(1, int64_t(std::llround(double(v) * each)));
    return s;
  };
  for (double f : {1.0 / 1024, 1.0 / 64, 1.0 / 16, 1.0 / 4, 1.0, 4.0, 8.0}) out.push_back(scaled(f));
  if (own.size() == 1 && own.begin()->second > 4096) {
    Size odd = own;
    odd.begin()->second = own.begin()->second / 4 + 1;  // a size that no block divides
    out.push_back(odd);
  }
  auto volume = [](const Size& s) {
    double v = 1;
    for (auto& [n, x] : s) v *= double(x);
    return v;
  };
  std::sort(out.begin(), out.end(), [&](auto& a, auto& b) { return volume(a) < volume(b); });
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::string dim_text(const Dim3& d) {
  return d.z != 0   ? fmt::format("({},{},{})", d.x, d.y, d.z)
         : d.y != 0 ? fmt::format("({},{})", d.x, d.y)
                    : fmt::format("{}", d.x);
}

std::string place_text(const std::optional<Dim3>& block, const std::optional<Dim3>& thread) {
  std::string s;
  if (block) s = "block " + dim_text(*block);
  if (thread) s += (s.empty() ? "" : ", ") + std::string("thread ") + dim_text(*thread);
  return s;
}

std::string ratio_text(double student, double reference) {
  if (!(student > 0) || !(reference > 0)) return "";
  double r = student / reference;
  if (r > 0.98 && r < 1.02) return "as fast as the reference";
  if (r >= 1) return fmt::format("{} × the reference's time", number(std::round(r * 100) / 100));
  return fmt::format("{} × as fast as the reference", number(std::round(100 / r) / 100));
}

namespace {
/// A recording from a GPU has times but no counters: an expression over counters has no value there.
bool uncounted(const std::string& expr, const Report& report, const RunReport& run) {
  if (report.device.kind != DeviceKind::recording || total(run, "instructions") > 0) return false;
  for (auto& c : counter_table())
    if (expr.find(c.alias) != std::string::npos) return true;
  for (auto alias : composite_aliases())
    if (expr.find(alias) != std::string::npos) return true;
  return false;
}
}  // namespace

bool can_predict(const Prediction& p, const std::string& typed) {
  double number = 0;
  const bool asks_number = p.choices.empty() && (!p.counter.empty() || parse_number(p.answer, number));
  return asks_number ? parse_number(typed, number) : !typed.empty();
}

std::string predicted_words(const std::string& typed, bool skipped) {
  if (!typed.empty()) return "You said " + typed + ".";
  return skipped ? "You ran it without a prediction." : "Students are asked this before they run.";
}

Reveal reveal(const Step& step, const std::string& typed, const Report* report) {
  Reveal out;
  out.typed = typed;
  auto& p = step.prediction;
  auto same = [](std::string a, std::string b) {
    auto plain = [](std::string s) {
      std::string o;
      for (char c : s)
        if (c != ' ') o += char(std::tolower(static_cast<unsigned char>(c)));
      return o;
    };
    return plain(a) == plain(b);
  };
  double want = 0, got = 0;
  if (!p.counter.empty()) {
    auto* ref = report ? reference_run(*report) : nullptr;
    if (!ref || uncounted(p.counter, *report, *ref)) return out;
    try {
      want = expression_value(p.counter, step, *report, *ref);
    } catch (const std::exception&) {
      return out;
    }
    out.judged = true;
    out.answer = number(want);
    if (parse_number(typed, got))
      out.right = std::fabs(got - want) <= std::max(p.tolerance * std::fabs(want), 1e-9);
    return out;
  }
  if (p.answer.empty()) return out;
  out.judged = true;
  out.answer = for_reading(p.answer);
  if (parse_number(p.answer, want) && parse_number(typed, got))
    out.right = std::fabs(got - want) <= std::max(p.tolerance * std::fabs(want), 1e-9);
  else
    out.right = same(typed, p.answer);
  return out;
}

namespace {
bool any_stopped(const RunReport& run) {
  return std::any_of(run.launches.begin(), run.launches.end(),
                     [&](const LaunchReport& l) { return stopped_early(run, l); });
}
}  // namespace

std::string live_value(const std::string& expr, const Step& step, const Report* report) {
  const std::string dash = "—";
  if (!report) return dash;
  std::string e = expr;
  bool reference = e.starts_with("reference:");
  if (reference) e.erase(0, 10);
  auto* run = reference ? reference_run(*report) : student_run(*report);
  // A slide may run the reference alone; a recorded reference is not "your last run".
  if (!run && report->device.kind != DeviceKind::recording) run = reference_run(*report);
  if (!run || run->status == Status::compile_error || run->launches.empty()) return dash;
  // Stopped on its way: what was counted until then is no figure of the kernel.
  const bool stopped =
      run->status == Status::finding || run->status == Status::timeout || run->status == Status::crash;
  if (stopped && (!(run->time_us.value > 0) || any_stopped(*run))) return dash;
  try {
    return uncounted(e, *report, *run) ? dash : number(expression_value(e, step, *report, *run));
  } catch (const std::exception&) {
    return dash;
  }
}

std::string time_on(const ReportDevice& d, double us) { return in_units(d) ? units_text(us) : time_text(us); }

const char* time_unit(const ReportDevice& d) { return in_units(d) ? "units" : "µs"; }

}  // namespace dojo::gui
