#pragma once
// Comma-separated values as spreadsheets write them: quotes around cells with commas, doubled quotes within.
#include <string>
#include <vector>

namespace dojo::grade {

/// A cell for a line of CSV. A text that a spreadsheet would take for a formula gets an apostrophe in front.
std::string csv_cell(const std::string& text);

/// The cells of one line as they were before they were quoted.
std::vector<std::string> csv_cells(const std::string& line);

/// The lines of a file with a first line of column names: the value of a cell by its column. Columns may come
/// in any order, in any case; others than `columns` are ignored. A byte-order mark and empty lines are
/// skipped; a semicolon instead of the comma is understood. Throws Error with the line when a needed column
/// is missing or a quote is never closed.
class CsvTable {
 public:
  CsvTable(const std::string& file_name, const std::string& text, const std::vector<std::string>& columns,
           const std::vector<std::string>& needed);
  size_t size() const { return rows_.size(); }
  /// Empty where the row has no such cell.
  std::string at(size_t row, const std::string& column) const;
  int line(size_t row) const { return lines_[row]; }

 private:
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<int> lines_;
  std::vector<int> place_;  ///< of each of columns_ in a row; -1: not there
};

}  // namespace dojo::grade
