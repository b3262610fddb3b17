// Grading on this machine, with a journal from which an interrupted call goes on.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <set>

#include "cli/grading/grading.hpp"
#include "core/error.hpp"
#include "grade/formats.hpp"
#include "grade/journal.hpp"

namespace dojo::cli {

std::vector<grade::Row> grade_here(Grading& s, const std::string& journal_file, bool resume,
                                   const std::string& csv,
                                   const std::map<std::string, grade::Row>& elsewhere) {
  const std::string print = s.fingerprint();
  std::vector<grade::Row> old;
  if (resume) old = grade::read_journal(journal_file, print);
  std::set<std::string> have;
  for (const auto& r : old) have.insert(r.key());
  grade::Journal journal(journal_file, print, old);
  s.options.skip = [&](const std::string& key) { return have.count(key) > 0 || elsewhere.count(key) > 0; };
  std::ofstream table;
  if (!csv.empty()) {
    table.open(csv, std::ios::trunc);
    table << grade::csv_header();
    for (const auto& r : old) table << grade::csv_line(r);
    if (!table.flush()) throw Error("cannot write " + csv);
  }
  const bool tty = isatty(2);
  s.options.row = [&](const grade::Row& r, int done, int all) {
    journal.add(r);
    if (table.is_open()) table << grade::csv_line(r) << std::flush;
    if (tty) fmt::print(stderr, "\r\x1b[K{} of {}: {} {}", done, all, r.key(), to_string(r.status));
  };
  std::vector<grade::Row> rows = s.own ? grade::run_own_cases(s.catalog, s.submissions, s.options, *s.own)
                                       : grade::grade_all(s.catalog, s.submissions, s.options);
  if (tty) fmt::print(stderr, "\r\x1b[K");
  if (interrupted())
    throw Error("stopped; go on with --resume (rows so far are in " + journal_file + ")", 130);
  rows.insert(rows.begin(), old.begin(), old.end());
  return rows;
}

}  // namespace dojo::cli
