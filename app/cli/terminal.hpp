#pragma once
// Text for a terminal: colours only where they are seen (a tty, NO_COLOR not set), columns that line up.
#include <string>
#include <vector>

#include "core/report.hpp"

namespace dojo::cli {

enum class Ink { plain, good, bad, warn, dim, bold, accent };

/// True when standard output takes colours.
bool coloured();
std::string paint(Ink, const std::string&);
/// Columns of text as a terminal counts them: UTF-8 aware, colours left out.
size_t width(const std::string&);
std::string pad(const std::string&, size_t columns, bool right = false);
/// Of the terminal: $COLUMNS, else of standard output; 0: not known.
size_t terminal_columns();
/// True where a line of so many columns fits the terminal, or the terminal's width is not known.
bool fits(size_t columns);
/// Breaks a text at blanks into lines of at most `columns`, each behind `indent`; in a narrower terminal they
/// are as long as it is wide.
std::string wrap(const std::string& text, size_t columns, const std::string& indent);

/// Flushes standard output; false when some of what was printed did not arrive.
bool output_written();

/// `text` behind `head`, its further lines under its first; below `head` where too little room is left.
std::string hang(const std::string& head, const std::string& text);

/// Rows of cells, the first column left, the others right-aligned when `right`. In a narrower terminal
/// columns that don't fit follow below, behind the first column again; of a table of texts the last column is
/// broken.
std::string table(const std::vector<std::vector<std::string>>& rows, const std::string& indent = "",
                  bool right = true);

/// Figures for people: "23.4 us", "3.35 TB/s", "1 048 576".
std::string time_text(double us);
/// A time as the device counts it: "23.40 us", or "24 units" on a toy.
std::string time_on(const ReportDevice&, double us);
std::string rate_text(double gbps);
std::string flops_text(double gflops);
std::string count_text(double);

}  // namespace dojo::cli
