// The corpus of planted bugs, tests/findings: each program is found wrong at the marked line, and its
// corrected twin is clean. docs/findings.md is made from the same runs.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "../whole_suite.hpp"
#include "core/files/whole_file.hpp"
#include "lab_runs.hpp"

using namespace dojo;

namespace {

/// One program: its own text, and its twin's, in which "// fix: CODE" stands for the line.
struct Planted {
  fs::path file;
  std::string name, group, what;  ///< "01-vector-add-no-guard", "Bounds, global", the rest of the first line
  FindingKind kind = FindingKind::none;
  int line = 0, other = 0;  ///< where it is found; the other side of a race, or 0
  bool missed_by_sanitizer = false;
  bool warning = false;  ///< a valid program that is told of something: its run passes
  std::string text, twin;
};

std::string after(const std::string& line, const std::string& mark) {
  const size_t at = line.find(mark);
  return at == std::string::npos ? std::string() : line.substr(at + mark.size());
}

Planted read(const fs::path& file) {
  Planted p;
  p.file = file;
  p.name = file.stem().string();
  std::ifstream in(file);
  std::string line;
  const std::string fix = "// fix:";
  for (int n = 1; std::getline(in, line); ++n) {
    if (n == 1 && line.find(": ") != std::string::npos) {
      p.group = line.substr(3, line.find(": ") - 3);
      p.what = after(line, ": ");
    }
    if (line.starts_with("// Compute Sanitizer: not found")) p.missed_by_sanitizer = true;
    if (const std::string kind = after(line, "// expect: "); !kind.empty()) {
      p.kind = finding_kind(kind.substr(0, kind.find(' ')));
      p.warning = p.kind == FindingKind::leak || kind.find(" (warning)") != kind.npos;
      p.line = n;
    }
    if (line.find("// other side") != std::string::npos) p.other = n;
    p.text += line + "\n";
    if (const size_t at = line.find(fix); at != std::string::npos) {
      const std::string indent = line.substr(0, line.find_first_not_of(' '));
      const std::string code = line.substr(at + fix.size());
      p.twin += code.empty() ? "\n" : indent + code.substr(1) + "\n";
    } else {
      p.twin += line + "\n";
    }
  }
  return p;
}

const std::vector<Planted>& corpus() {
  static const std::vector<Planted> all = [] {
    std::vector<Planted> out;
    for (const auto& e : fs::directory_iterator(find_root() / "tests" / "findings"))
      if (e.path().extension() == ".cu") out.push_back(read(e.path()));
    std::sort(out.begin(), out.end(),
              [](const Planted& a, const Planted& b) { return std::stoi(a.name) < std::stoi(b.name); });
    return out;
  }();
  return all;
}

RunReport played(const fs::path& file) {
  test::catalog();  // registers the devices
  run::PlayRequest r;
  r.file = file.string();
  r.time_limit_s = test::roomy(20);
  return run::play(r, {}, nullptr).runs.at(0);
}

bool seen_as_written(const Diagnostic& d) { return d.message.find("as written") != std::string::npos; }

/// The diagnostic that the program is there for, or null.
const Diagnostic* expected(const Planted& p, const RunReport& r) {
  for (const Diagnostic& d : r.diagnostics) {
    if (d.kind != p.kind || d.where.line != p.line) continue;
    const bool both = !p.other || std::any_of(d.related.begin(), d.related.end(),
                                              [&](const Related& o) { return o.where.line == p.other; });
    if (both) return &d;
  }
  return nullptr;
}

using Row = std::pair<const Planted*, const Diagnostic*>;

/// What was planted, what is found, where, and in which code.
std::string line_of(const Row& row) {
  const auto& [p, d] = row;
  std::ostringstream out;
  out << "| " << p->name << (p->missed_by_sanitizer ? " \\*" : "") << " | " << p->group << ": " << p->what
      << " | `" << to_string(p->kind) << (p->warning ? "` (warning) | " : "` | ") << p->line
      << (p->other ? " and " + std::to_string(p->other) : "") << " | "
      << (seen_as_written(*d) ? "the code as written" : "the optimised code") << " |\n";
  return out.str();
}

/// One row per bug.
std::string table(const std::vector<Row>& rows) {
  std::string out =
      "| program | what is wrong | found as | line | seen in |\n| --- | --- | --- | --- | --- |\n";
  for (const Row& row : rows) out += line_of(row);
  return out;
}

std::string shown(const RunReport& r) { return test::why(r); }

bool wanted(const Planted& p) {
  const char* only = std::getenv("WARPDOJO_FINDING");
  return !only || p.name.find(only) != std::string::npos;
}

}  // namespace

TEST_CASE("findings corpus: at least sixty bugs, each marked once, each with a twin that differs") {
  std::set<FindingKind> kinds;
  CHECK(corpus().size() >= 60);
  for (const Planted& p : corpus()) {
    CAPTURE(p.name);
    CHECK(!p.group.empty());
    CHECK(p.line > 0);
    CHECK(p.twin != p.text);
    kinds.insert(p.kind);
  }
  // Tests of divisions and of host code have these.
  const std::set<FindingKind> without = {FindingKind::division_by_zero, FindingKind::exit};
  for (const FindingKindInfo& k : finding_kinds())
    if (k.origin == FindingOrigin::program)
      CHECK_MESSAGE(kinds.count(k.kind) != without.count(k.kind), k.word);
  for (const FindingKind k : kinds) CHECK(finding_info(k).origin == FindingOrigin::program);
}

TEST_CASE("findings corpus: every bug is found at its line, and docs/findings.md says so") {
  static std::vector<RunReport> reports;
  reports.reserve(corpus().size());
  std::vector<Row> rows;
  bool all = true;
  test::Part part("planted bugs", 4);
  for (const Planted& p : corpus()) {
    if (!wanted(p) || !part.takes(p.name)) {
      all = false;
      continue;
    }
    reports.push_back(played(p.file));
    const RunReport& r = reports.back();
    const Diagnostic* d = expected(p, r);
    CHECK_MESSAGE(d, p.name << ": expected " << to_string(p.kind) << " at line " << p.line
                            << (p.other ? " with " + std::to_string(p.other) : "") << "\n"
                            << shown(r));
    CHECK_MESSAGE((r.status == (p.warning ? Status::pass : Status::finding)), p.name << "\n" << shown(r));
    if (d) rows.push_back({&p, d});
    all &= d != nullptr;
  }
  const fs::path page = find_root() / "docs" / "findings.md";
  const std::string text = read_or_empty(page), begin = "<!-- table -->\n", end = "<!-- end of table -->\n";
  const size_t from = text.find(begin), to = text.find(end);
  REQUIRE(from != std::string::npos);
  REQUIRE(to != std::string::npos);
  if (!all) {  // some bugs were not played: the page has at least the rows of the others
    for (const auto& row : rows)
      CHECK_MESSAGE(text.find(line_of(row)) != std::string::npos, row.first->name << ": no such row");
    return;
  }
  const std::string fresh = table(rows);
  const bool current = text.substr(from + begin.size(), to - from - begin.size()) == fresh;
  if (!current && std::getenv("WARPDOJO_UPDATE")) {
    std::ofstream(page) << text.substr(0, from + begin.size()) << fresh << text.substr(to);
    return;
  }
  CHECK_MESSAGE(current, "docs/findings.md is not current: run this test with WARPDOJO_UPDATE=1");
}

TEST_CASE("findings corpus: the corrected twin of every bug is clean") {
  std::string pattern = (fs::temp_directory_path() / "warpdojo-twins-XXXXXX").string();
  REQUIRE(mkdtemp(pattern.data()));
  const fs::path folder = pattern;
  test::Part part("twins", 16);
  for (const Planted& p : corpus()) {
    if (!wanted(p) || !part.takes(p.name)) continue;
    std::ofstream(folder / p.file.filename()) << p.twin;
    const RunReport r = played(folder / p.file.filename());
    CHECK_MESSAGE(r.status == Status::pass, p.name << "\n" << shown(r));
    CHECK_MESSAGE(r.diagnostics.empty(), p.name << "\n" << shown(r));
  }
  std::error_code ec;
  fs::remove_all(folder, ec);
}
