#include "gui/model/teaching/instructor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/numbers.hpp"
#include "gui/model/session/store.hpp"
#include "run/verdict/mistakes.hpp"

namespace dojo::gui {

namespace {
/// "no-barrier" of 1-global--no-barrier.cu.
std::string name_of(const fs::path& file) {
  std::string s = file.stem().string();
  size_t at = s.find("--");
  return at == std::string::npos ? s : s.substr(at + 2);
}
}  // namespace

std::string expected_words(const std::string& expect) {
  run::Expected e = run::parse_expected(expect);
  std::string status = e.status == "wrong"         ? "a wrong result"
                       : e.status == "gate_failed" ? "a failed gate"
                       : e.status == "finding"     ? "a finding"
                                                   : "the status " + e.status;
  if (e.line > 0) status += " at line " + std::to_string(e.line);
  std::string what = e.gate.empty() ? e.kind : e.gate;
  if (e.gate.empty()) std::replace(what.begin(), what.end(), '_', ' ');
  return what.empty() ? status : status + ": " + what;
}

std::vector<StandIn> stand_ins(const Catalog& catalog, const Step& step) {
  std::vector<StandIn> out;
  StandIn r;
  r.kind = StandIn::reference;
  r.label = "reference";
  r.words = "The solved twin, run in the place of the student's file.";
  r.file = catalog.reference_file(step);
  if (!catalog.lab_of(step).reference.empty())
    if (auto text = read_regular_file(r.file)) {
      r.text = std::move(*text);
      out.push_back(std::move(r));
    }
  for (auto& m : run::stored_mistakes(catalog, step)) {
    StandIn w{StandIn::wrong, name_of(m.file), m.words, m.expect, m.file, {}};
    auto text = read_regular_file(w.file);
    if (!text) continue;
    w.text = std::move(*text);
    out.push_back(std::move(w));
  }
  return out;
}

std::vector<LabRow> lab_rows(const Catalog& catalog, const Lab& lab, const LabChoice& choice) {
  std::vector<LabRow> out;
  for (auto& s : lab.steps) {
    auto add = [&](LabRow::Kind kind, std::string label, std::string expect) {
      LabRow r;
      r.kind = kind;
      r.step = s.id();
      r.label = std::move(label);
      r.expect = std::move(expect);
      out.push_back(std::move(r));
    };
    if (choice.students) add(LabRow::student, "your file", "");
    std::error_code ec;
    if (choice.references && !lab.reference.empty() && fs::exists(catalog.reference_file(s), ec))
      add(LabRow::reference, "reference", "pass");
    if (choice.wrong)
      for (auto& m : run::stored_mistakes(catalog, s)) add(LabRow::wrong, name_of(m.file), m.expect);
  }
  return out;
}

void take_run(LabRow& row, const RunReport& r) {
  row.ran = true;
  row.status = r.status;
  row.time_us = r.time_us.value;
  row.note.clear();
  if (const Diagnostic* d = first_error(r.diagnostics))
    row.note = (d->where.line ? fmt::format("line {}: ", d->where.line) : "") + d->message;
  if (row.note.empty())
    for (auto& g : r.gates)
      if (!g.pass) {
        row.note = g.name;
        break;
      }
  if (row.note.empty() && r.check.wrong > 0)
    row.note = fmt::format("{} element{} out of tolerance", grouped(double(r.check.wrong)),
                           r.check.wrong == 1 ? "" : "s");
  row.told = row.kind != LabRow::student;
  if (row.kind == LabRow::reference) row.as_expected = r.status == Status::pass;
  if (row.kind == LabRow::wrong) {
    std::string unlike = run::unlike_expected(row.expect, r);
    row.as_expected = unlike.empty();
    if (!unlike.empty()) row.note = unlike + (row.note.empty() ? "" : "; " + row.note);
  }
}

std::string summary(const std::vector<LabRow>& rows) {
  size_t told = 0, fine = 0, ran = 0, passed = 0, own = 0;
  for (auto& r : rows) {
    ran += r.ran;
    told += r.ran && r.told;
    fine += r.ran && r.told && r.as_expected;
    own += r.ran && r.kind == LabRow::student;
    passed += r.ran && r.kind == LabRow::student && r.status == Status::pass;
  }
  if (ran == 0) return "";
  std::string s = told ? fmt::format("{} of {} as expected", fine, told) : "";
  if (own) s += fmt::format("{}{} of {} of your files pass", s.empty() ? "" : ", ", passed, own);
  return s;
}

}  // namespace dojo::gui
