#pragma once
// Comma-separated values are read here (RFC 4180).
#include <string>
#include <string_view>
#include <vector>

namespace dojo {

/// One row of a text, as it was before it was quoted: quoted cells may hold separators, line ends and doubled
/// quotes.
struct CsvRow {
  std::vector<std::string> cells;  ///< one at least
  bool closed = true;              ///< false: the text ends within quotes
};
/// The row from `at`, which moves behind its line end.
CsvRow next_csv_row(std::string_view text, size_t& at, char separator = ',');

}  // namespace dojo
