#include "recorded.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "../whole_suite.hpp"
#include "microbench.hpp"

namespace dojo::test {

namespace {

bool blank(char c) { return c == ' ' || c == '\t'; }

std::string without_blanks_at_the_end(std::string s) {
  s.erase(s.find_last_not_of(' ') + 1);
  return s;
}

std::string one_blank_each(std::string_view s) {
  std::string out;
  for (char c : s)
    if (!blank(c))
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  return without_blanks_at_the_end(out);
}

std::string percent(double fraction) {
  std::ostringstream s;
  s.precision(3);
  s << 100 * fraction << " %";
  return s.str();
}

std::string sentence(const std::string& line, double measured, double modelled, double off, double allowed) {
  std::ostringstream s;
  s << one_blank_each(line) << ": modelled " << modelled << ", measured " << measured << ", " << percent(off)
    << (modelled < measured ? " low" : " high") << "; the bound is " << percent(allowed);
  return s.str();
}

/// How much wider than the worst of its lines an expected miss may be.
constexpr double kSlack = 0.03;

/// Of tables of this many lines and more, every kEvery-th is compared unless the whole suite runs.
constexpr int kShortTable = 20, kEvery = 7;

}  // namespace

std::optional<Row> Pattern::read(const std::string& line) const {
  Row row;
  row.line = line;
  size_t at = 0;
  const auto skip_blanks = [&] {
    while (at < line.size() && blank(line[at])) ++at;
  };
  for (size_t i = 0; i < text_.size(); ++i) {
    if (blank(text_[i])) {
      skip_blanks();
      continue;
    }
    if (text_[i] != '{') {
      if (at >= line.size() || line[at] != text_[i]) return {};
      ++at;
      continue;
    }
    const size_t end = text_.find('}', i);
    std::string field = text_.substr(i + 1, end - i - 1), kind;
    i = end;
    if (const size_t colon = field.find(':'); colon != field.npos)
      kind = field.substr(colon + 1), field.resize(colon);
    const size_t from = at;
    if (field == "*") {
      at = line.find(text_.at(i + 1), at);
      if (at == line.npos) return {};
    } else if (kind == "w") {
      while (at < line.size() && (std::isalnum(static_cast<unsigned char>(line[at])) || line[at] == '_'))
        ++at;
      if (at == from) return {};
      row.fields[field] = line.substr(from, at - from);
    } else if (!kind.empty()) {
      const size_t width = size_t(std::stoi(kind));
      if (line.size() < at + width) return {};
      at += width;
      row.fields[field] = without_blanks_at_the_end(line.substr(from, width));
    } else {
      skip_blanks();
      char* after = nullptr;
      const double value = std::strtod(line.c_str() + at, &after);
      if (after == line.c_str() + at) return {};
      const size_t end_of_number = size_t(after - line.c_str());
      const std::string digits = line.substr(at, end_of_number - at);
      at = end_of_number;
      if (field.starts_with('='))
        row.measured = value;
      else
        row.fields[field] = digits;
    }
  }
  return row;
}

bool matches_line(std::string_view glob, std::string_view line) {
  const std::string text = one_blank_each(line), g = one_blank_each(glob);
  // From the last star on: what it stands for grows until the rest fits.
  size_t i = 0, j = 0, star = std::string::npos, from = 0;
  while (j < text.size()) {
    if (i < g.size() && g[i] == '*') {
      star = i++, from = j;
    } else if (i < g.size() && g[i] == text[j]) {
      ++i, ++j;
    } else if (star != std::string::npos) {
      i = star + 1, j = ++from;
    } else {
      return false;
    }
  }
  while (i < g.size() && g[i] == '*') ++i;
  return i == g.size();
}

Tally::Tally(const StatedBound& bound, std::vector<ExpectedMiss> misses) : bound_(bound) {
  for (const ExpectedMiss& m : misses) misses_.push_back({m, 0, 0});
}

const Tally::Miss* Tally::miss_for(const std::string& line) const {
  for (const Miss& m : misses_)
    if (matches_line(m.lines_like, line)) return &m;
  return nullptr;
}

double Tally::fraction_for(const std::string& line) const {
  const Miss* m = miss_for(line);
  return m ? m->fraction : bound_.fraction;
}

void Tally::add(const std::string& line, double measured, double modelled) {
  ++lines_;
  const double difference = std::abs(modelled - measured), off = difference / std::abs(measured),
               allowed = fraction_for(line);
  const bool as_stated = difference <= bound_.absolute || off <= bound_.fraction;
  if (const Miss* found = miss_for(line)) {
    Miss& m = misses_[size_t(found - misses_.data())];
    ++m.lines;
    if (!as_stated) m.worst = std::max(m.worst, off);
  }
  const bool good = as_stated || off <= allowed;  // both false for NaN
  if (!good) too_far_.push_back(sentence(line, measured, modelled, off, allowed));
}

std::vector<std::string> Tally::complaints(bool whole) const {
  std::vector<std::string> all = too_far_;
  if (!whole) {  // what the lines that were left out would say is not known
    if (!lines_) all.push_back("no line was compared");
    return all;
  }
  if (lines_ != bound_.lines)
    all.push_back(std::to_string(lines_) + " lines were compared, " + std::to_string(bound_.lines) +
                  " are stated");
  for (const Miss& m : misses_) {
    const std::string entry = "the expected miss \"" + std::string(m.lines_like) + "\" ";
    if (!m.lines)
      all.push_back(entry + "names no line: remove it");
    else if (m.worst == 0)
      all.push_back(entry + "is no longer needed: remove it");
    else if (m.worst < m.fraction - kSlack)
      all.push_back(entry + "is wider than it has to be: its worst line is " + percent(m.worst) + " off");
  }
  return all;
}

std::string tables_of_bounds() {
  std::ostringstream s;
  s << "| recording | lines | compared | each within |\n|---|---|---|---|\n";
  for (const StatedBound& b : kStatedBounds) {
    s << "| " << b.recording << " | " << b.what << " | " << b.lines << " | ";
    if (b.fraction > 0) s << percent(b.fraction);
    if (b.fraction > 0 && b.absolute > 0) s << " or ";
    if (b.absolute > 0) s << b.absolute << " " << b.unit;
    s << " |\n";
  }
  s << "\nExpected misses:\n\n| recording | lines | within | why |\n|---|---|---|---|\n";
  for (const ExpectedMiss& m : kExpectedMisses)
    s << "| " << m.recording << ": " << m.what << " | `" << m.lines_like << "` | " << percent(m.fraction)
      << " | " << m.reason << " |\n";
  return s.str();
}

void hold(const RecordingName& name, std::string_view pattern, const ModelOfRow& model, Compare compare) {
  CAPTURE(name.recording);
  CAPTURE(name.what);
  const StatedBound* bound = nullptr;
  for (const StatedBound& b : kStatedBounds)
    if (b.recording == name.recording && b.what == name.what) bound = &b;
  REQUIRE_MESSAGE(bound, "stated_bounds.hpp has no such entry");
  std::vector<ExpectedMiss> misses;
  for (const ExpectedMiss& m : kExpectedMisses)
    if (m.recording == name.recording && m.what == name.what) misses.push_back(m);
  Tally tally(*bound, misses);
  const Pattern reads(pattern);
  const char* log = std::getenv("WARPDOJO_DEVIATIONS");
  const bool whole = whole_suite() || bound->lines < kShortTable || compare == Compare::every_line;
  int rows = 0, left_out = 0;
  for (const std::string& line : recorded_lines(name.recording)) {
    auto row = reads.read(line);
    if (!row) continue;
    if (rows++ % kEvery != kEvery / 2 && !whole) {
      ++left_out;
      continue;
    }
    const std::optional<double> modelled = model(*row);
    if (!modelled) continue;
    tally.add(line, row->measured, *modelled);
    if (log)
      std::ofstream(log, std::ios::app)
          << name.recording << '\t' << name.what << '\t' << one_blank_each(line) << '\t' << row->measured
          << '\t' << *modelled << '\t' << tally.fraction_for(line) << '\n';
  }
  if (left_out)
    MESSAGE(name.recording << ", " << name.what << ": " << left_out << " of " << rows << " lines left out");
  for (const std::string& complaint : tally.complaints(whole)) FAIL_CHECK(complaint);
}

}  // namespace dojo::test
