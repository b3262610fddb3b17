#pragma once
// The figures behind a plot as a table: what "copy as CSV" gives.
#include <string>
#include <vector>

namespace dojo::gui {

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

/// RFC 4180: cells with a comma, a quote or a line end are quoted. Lines end in \n.
std::string to_csv(const Table&);

}  // namespace dojo::gui
