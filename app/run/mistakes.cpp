#include "run/mistakes.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

namespace dojo::run {
namespace {

std::set<std::string> finding_kinds(const RunReport& r) {
  std::set<std::string> kinds;
  for (const auto& d : r.diagnostics)
    if (d.severity == Severity::error) kinds.insert(d.kind + " in " + d.kernel);
  return kinds;
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

}  // namespace

std::vector<StoredMistake> stored_mistakes(const Catalog& catalog, const Step& step) {
  std::vector<StoredMistake> out;
  const fs::path folder = catalog.root / "tests" / "wrong" / catalog.lab_of(step).folder.filename();
  const std::string prefix = step.file.substr(0, step.file.rfind('.')) + "--";
  std::error_code ec;
  for (const auto& e : fs::directory_iterator(folder, ec)) {
    if (!e.path().filename().string().starts_with(prefix)) continue;
    std::ifstream in(e.path());
    const std::string mark = "// mistake: ";
    std::string line;
    for (int k = 0; k < 6 && std::getline(in, line); ++k)
      if (line.starts_with(mark)) out.push_back({e.path(), line.substr(mark.size())});
  }
  std::sort(out.begin(), out.end(),
            [](const StoredMistake& a, const StoredMistake& b) { return a.file < b.file; });
  return out;
}

bool same_failure(const RunReport& a, const RunReport& b) {
  if (a.status != b.status) return false;
  switch (a.status) {
    case Status::wrong:
      return a.inputs_changed == b.inputs_changed && same_mismatches(a, b);
    case Status::finding:
      return finding_kinds(a) == finding_kinds(b) && same_mismatches(a, b);
    case Status::timeout:
      return finding_kinds(a) == finding_kinds(b);
    case Status::gate_failed:
      return same_gates(a, b);
    default:
      return false;
  }
}

}  // namespace dojo::run
