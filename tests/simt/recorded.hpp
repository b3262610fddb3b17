#pragma once
// Holds the time model to recordings: text files of assets/recordings, one line per figure, printed on a GPU
// by a program of tests/microbench. A test names the recording, how its lines read, and how to model a line:
//
//   hold({"h100-busy.txt", "loads at a busy DRAM"}, "busy {reads} read, {kib} KiB {=us} us",
//        [&](const Row& row) { return k.run(spec_of(row.integer("reads"), row.integer("kib"))).time_us; });
//
// The bound, the number of lines and the expected misses are in stated_bounds.hpp;
// docs/time-model-evidence.md has the same table. With $WARPDOJO_DEVIATIONS every compared line is appended
// to that file, tab-separated.
#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stated_bounds.hpp"

namespace dojo::test {

/// One line of a recording, taken apart by a Pattern.
struct Row {
  std::string line;
  std::map<std::string, std::string, std::less<>> fields;
  double measured = 0;

  double number(std::string_view field) const { return std::stod(fields.at(std::string(field))); }
  int integer(std::string_view field) const { return int(number(field)); }
  uint32_t count(std::string_view field) const { return uint32_t(number(field)); }
  const std::string& text(std::string_view field) const { return fields.at(std::string(field)); }
};

/// How the lines of a recording read. Blanks match any number of blanks; a field is
///   {name}    a number            {=name}  the measured number
///   {name:w}  a word of letters, digits and _
///   {name:24} 24 characters, without the blanks at their end
///   {*}       anything up to the character that follows
/// What follows the pattern in a line is not read. Example: "burst {each} a thread {=us}" reads "burst 8 a
/// thread  2.25 us".
class Pattern {
 public:
  explicit Pattern(std::string_view text) : text_(text) {}
  std::optional<Row> read(const std::string& line) const;

 private:
  std::string text_;
};

/// Compares the lines of one recording with the model, and says what is wrong in the end.
class Tally {
 public:
  Tally(const StatedBound& bound, std::vector<ExpectedMiss> misses);
  /// What this line may deviate by: the bound, or that of the first expected miss which names the line.
  double fraction_for(const std::string& line) const;
  void add(const std::string& line, double measured, double modelled);
  /// One sentence per line that is too far off, per wrong number of lines, and per expected miss that is no
  /// longer needed or wider than it has to be. `whole`: every line of the table was added; else only lines
  /// that are too far off are wrong.
  std::vector<std::string> complaints(bool whole = true) const;

 private:
  struct Miss : ExpectedMiss {
    int lines = 0;
    double worst = 0;  // of the lines beyond the stated bound
  };
  const Miss* miss_for(const std::string& line) const;
  StatedBound bound_;
  std::vector<Miss> misses_;
  std::vector<std::string> too_far_;
  int lines_ = 0;
};

/// The tables of stated_bounds.hpp in Markdown, as docs/time-model-evidence.md has them.
std::string tables_of_bounds();

/// `*` in `glob` stands for anything; blanks match any number of blanks.
bool matches_line(std::string_view glob, std::string_view line);

struct RecordingName {
  std::string recording;  // in assets/recordings
  std::string what;       // which of its lines, as stated_bounds.hpp calls them
};

/// A line's modelled figure in the unit of the measured one; none if the line is not compared. It may set
/// `measured` where the pattern can't.
using ModelOfRow = std::function<std::optional<double>(Row&)>;
enum class Compare { every_line, a_part };
/// Compares every line of the recording in the whole suite (whole_suite.hpp), else one in five of a long
/// table. `every_line`: the model of a line needs the lines before it.
void hold(const RecordingName& name, std::string_view pattern, const ModelOfRow& model,
          Compare = Compare::a_part);

/// The time of one round: that of 2n rounds less that of n, by n. The shorter launch goes first.
inline double per_round(int n, const std::function<double(int)>& time) {
  const double once = time(n);
  return (time(2 * n) - once) / n;
}

}  // namespace dojo::test
