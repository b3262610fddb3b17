#pragma once
// The exports of grades. One entry in the table is all that a new format needs.
#include <functional>
#include <string>
#include <vector>

#include "grade/course/course.hpp"
#include "grade/row.hpp"

namespace dojo::grade {

struct Format {
  std::string name, help;
  std::function<std::string(const Course&, const std::vector<Row>&)> text;
  bool one_student = false;  ///< its readers know one submission only
};
const std::vector<Format>& formats();
/// Their names for messages: "csv, json, canvas". `of_a_class`: those that take several students' rows.
std::string format_names(bool of_a_class = false);
/// Throws Error: the format is for one student's submission, and there are more. `here`: how many, or whose.
[[noreturn]] void refuse_class(const Format&, const std::string& here);
/// The text of the rows. Throws Error for several students in a format for one.
std::string export_text(const Format&, const Course&, const std::vector<Row>&);
/// Throws Error naming the formats there are, or what has replaced one that is gone.
const Format& find_format(const std::string& name);

/// CSV as docs/cli.md gives it: student,lab,step,status,points,max_points,time_us,model_version,message, and
/// submitted,late_days,raw_points,counts,comment.
std::string csv_header();
std::string csv_line(const Row&);
/// Reads such a file back. Throws Error with the line.
std::vector<Row> read_csv(const std::string& text);
/// The rows of `--format json`. Throws Error.
std::vector<Row> read_json(const std::string& text);
/// What a regrade would change: a line for each row whose points or status differ.
std::string compare(const std::vector<Row>& old, const std::vector<Row>& now);

}  // namespace dojo::grade
