#pragma once
// The exports of grades. One entry in the table is all that a new format needs.
#include <functional>
#include <string>
#include <vector>

#include "grade/course.hpp"
#include "grade/row.hpp"

namespace dojo::grade {

struct Format {
  std::string name, help;
  std::function<std::string(const Course&, const std::vector<Row>&)> text;
};
const std::vector<Format>& formats();
/// Throws Error naming the formats there are.
const Format& find_format(const std::string& name);

/// CSV as docs/cli.md gives it: student,lab,step,status,points,max_points,time_us,model_version,message.
std::string csv_header();
std::string csv_line(const Row&);
/// Reads such a file back. Throws Error with the line.
std::vector<Row> read_csv(const std::string& text);
/// What a regrade would change: a line for each row whose points or status differ.
std::string compare(const std::vector<Row>& old, const std::vector<Row>& now);

}  // namespace dojo::grade
