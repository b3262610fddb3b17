// list, hint, glossary, devices.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/cli.hpp"
#include "cli/terminal.hpp"
#include "core/counters.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "core/labs/glossary.hpp"
#include "core/text/nearest.hpp"
#include "run/student/student_progress.hpp"

namespace dojo::cli {

int cmd_list(bool json, bool counters, const std::string& only) {
  if (counters) {
    std::vector<std::vector<std::string>> rows{{"alias", "Nsight Compute's name", "unit", ""}};
    for (const auto& c : counter_table())
      rows.push_back({std::string(c.alias), std::string(c.name), std::string(c.unit), std::string(c.help)});
    for (auto a : composite_aliases()) rows.push_back({std::string(a), "(sum of two)", "", ""});
    fmt::print("{}", table(rows, "", false));
    return 0;
  }
  Catalog catalog = open_catalog();
  if (!only.empty()) {
    const Lab* lab = catalog.find_lab(only);
    if (!lab) {
      std::vector<std::string> names;
      for (const auto& l : catalog.labs) names.push_back(l.name);
      const std::string nearest = nearest_word(only, names);
      throw Error("there is no lab '" + only + "'" +
                  (nearest.empty() ? "" : "; the nearest is '" + nearest + "'") +
                  " (warpdojo list shows all)");
    }
    catalog.labs = {Lab(*lab)};
  }
  const auto progress = run::StudentProgress::load();
  if (json) {
    nlohmann::ordered_json out = {{"labs", nlohmann::json::array()}};
    for (const auto& lab : catalog.labs) {
      nlohmann::ordered_json l = {
          {"lab", lab.name}, {"order", lab.order}, {"title", lab.title}, {"steps", nlohmann::json::array()}};
      for (const auto& s : lab.steps)
        l["steps"].push_back({{"step", s.id()},
                              {"title", s.title},
                              {"file", catalog.student_file(s).lexically_relative(catalog.root).string()},
                              {"state", to_string(progress.of(s.id()).state)}});
      out["labs"].push_back(std::move(l));
    }
    fmt::print("{}\n", out.dump(2));
    return 0;
  }
  for (const auto& lab : catalog.labs) {
    int passed = 0;
    for (const auto& s : lab.steps) passed += progress.of(s.id()).state == run::StepState::passed;
    const std::string count = fmt::format("{} of {}", passed, lab.steps.size());
    if (fits(width(lab.title) + 2 + width(count)))
      fmt::print("{}  {}\n", paint(Ink::bold, lab.title), paint(Ink::dim, count));
    else
      fmt::print("{}", wrap(lab.title + " (" + count + ")", 96, ""));
    for (const auto& s : lab.steps) {
      const run::StepState state = progress.of(s.id()).state;
      const std::string mark = state == run::StepState::passed   ? paint(Ink::good, "x")
                               : state == run::StepState::failed ? paint(Ink::warn, "-")
                                                                 : " ";
      fmt::print("{}", hang(fmt::format("  [{}] {}", mark, pad(s.id(), 34)), s.title));
    }
  }
  return 0;
}

int cmd_hint(const std::string& name) {
  const Catalog catalog = open_catalog();
  const Step& step = catalog.find(name);
  if (step.hints.empty()) throw Error(step.id() + " has no hints");
  auto progress = run::StudentProgress::load();
  const int all = int(step.hints.size()), shown = std::min(progress.of(step.id()).hints + 1, all);
  fmt::print("{}", wrap(fmt::format("Hint {} of {}: {}", shown, all, step.hints[size_t(shown - 1)]), 96, ""));
  progress.edit(step.id()).hints = shown;
  keep(progress);
  return 0;
}

namespace {

nlohmann::ordered_json plain(const Term& t) {
  return {{"term", t.name}, {"also", t.also}, {"text", t.text}, {"see", t.see}};
}

void print_terms(const nlohmann::ordered_json& terms) {
  fmt::print("{}\n", nlohmann::ordered_json{{"schema", "warpdojo/glossary/1"}, {"terms", terms}}.dump(2));
}

}  // namespace

int cmd_glossary(const GlossaryOptions& o) {
  const Glossary glossary = Glossary::load(find_root());
  const std::string& term = o.term;
  if (o.markdown) {
    fmt::print("{}", glossary.markdown());
    return 0;
  }
  if (const Term* one = term.empty() ? nullptr : glossary.find(term); o.json && (one || term.empty())) {
    auto terms = nlohmann::ordered_json::array();
    for (const Term& t : glossary.terms())
      if (!one || one == &t) terms.push_back(plain(t));
    print_terms(terms);
    return 0;
  }
  auto show = [](const Term& t) {
    fmt::print("{}\n{}", paint(Ink::bold, t.name), wrap(t.text, 96, "  "));
    std::string see;
    for (const auto& s : t.see) see += (see.empty() ? "  See also: " : ", ") + s;
    if (!see.empty()) fmt::print("{}\n", see);
  };
  if (term.empty()) {
    for (const Term& t : glossary.terms()) show(t);
    return 0;
  }
  if (const Term* t = glossary.find(term)) {
    show(*t);
    return 0;
  }
  std::vector<std::string> names;
  for (const Term& t : glossary.terms()) names.push_back(t.name);
  const std::string nearest = nearest_word(term, names);
  throw Error("the glossary has no '" + term + "'" +
              (nearest.empty() ? "" : "; the nearest is '" + nearest + "'") +
              " (warpdojo glossary shows all)");
}

int cmd_devices(bool json) {
  run::register_devices();
  std::vector<std::string> why_not;
  nlohmann::ordered_json all = nlohmann::json::array();
  std::vector<std::vector<std::string>> rows{{"name", "SMs", "GB/s", "clock", "title"}};
  for (const auto& family : device_families())
    for (const auto& d : family.list(&why_not)) {
      all.push_back({{"name", d.name},
                     {"kind", to_string(d.kind)},
                     {"title", d.title},
                     {"sms", d.sms},
                     {"compute_capability", fmt::format("{}.{}", d.cc_major, d.cc_minor)},
                     {"peak_gbps", d.peak_gbps},
                     {"peak_gflops", d.peak_gflops},
                     {"clock_mhz", d.clock_mhz},
                     {"memory_bytes", d.global_bytes},
                     {"l2_bytes", d.l2_bytes},
                     {"model_version", d.model_version}});
      rows.push_back({d.name, std::to_string(d.sms), fmt::format("{:.0f}", d.peak_gbps),
                      fmt::format("{:.0f} MHz", d.clock_mhz), d.title});
    }
  if (json) {
    fmt::print("{}\n", nlohmann::ordered_json{{"devices", all}, {"notes", why_not}}.dump(2));
    return 0;
  }
  fmt::print("{}", table(rows, "", false));
  for (const auto& w : why_not) fmt::print("{}", paint(Ink::dim, hang("", w)));
  return 0;
}

}  // namespace dojo::cli
