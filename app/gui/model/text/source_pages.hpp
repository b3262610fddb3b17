#pragma once
// A source on paper: which rows of which lines stand on which page, and how large the type is.
#include <string>
#include <vector>

namespace dojo::gui {

struct SourcePages {
  /// A row of type: bytes [from, to) of a line (from 0). Rows after a line's first go on where it was too
  /// wide.
  struct Row {
    int line = 0, from = 0, to = 0;
  };
  float type = 1;                       ///< of the usual size
  std::vector<std::vector<Row>> pages;  ///< at least one, which may be empty
  /// Where a line that goes on begins: as far in as the line itself and a little further.
  static int indent(const std::string& line, int columns);
};

/// Sets lines in pages of `columns` by `rows` at the usual type (`later`: rows of the pages after the first;
/// 0: as many). Type shrinks, down to `least` of its size, where that saves broken lines or a second page;
/// what still doesn't fit is broken, and takes as few further pages as the least type needs, in the
/// largest type that needs no more of them. Nothing is left out.
SourcePages set_pages(const std::vector<std::string>& lines, int columns, int rows, float least,
                      int later = 0);

/// A source on the screen: all its rows in one, none wider than the room.
struct SourceSheet {
  std::vector<SourcePages::Row> rows;  ///< of all lines, in order
};
/// Sets lines in `columns`. A wider line is broken, between words where it can be.
SourceSheet set_sheet(const std::vector<std::string>& lines, int columns);

/// A row of a figure made of text: bytes [from, to) of a line, drawn from a column on.
struct FigureRow {
  int line = 0, from = 0, to = 0, column = 0;
};
/// Sets a figure in `columns`. Its lines keep their shape; only the last part of a line, set off by two
/// spaces or more, is broken between words, and goes on below its own beginning. Empty where that is not
/// enough.
///     round 5   x...............    1 lane of each warp,
///                                   and all 8 warps issue
std::vector<FigureRow> set_figure(const std::vector<std::string>& lines, int columns);

/// A figure in a room of so many columns of the usual type: first whole, in type down to `legible_figure`,
/// then in `usual_figure` with its lines' ends broken, then so in smaller type, down to `smallest_figure`.
/// What does not fit then is set in `usual_figure` and scrolls.
struct FittedFigure {
  double type = 1;  ///< of the usual size
  std::vector<FigureRow> rows;
  bool fits = true;
};
inline constexpr double usual_figure = 0.89, legible_figure = 0.8, legible_broken = 0.75,
                        smallest_figure = 0.6;
FittedFigure fit_figure(const std::vector<std::string>& lines, double columns);
/// The narrowest room, in columns of the usual type, where a figure with its lines' ends broken is legible.
double broken_columns(const std::vector<std::string>& lines);
/// Columns of a figure's longest line, at least 1.
int longest_line(const std::vector<std::string>& lines);

/// Columns that a text takes: a character one, a wide one two, a tab as far as its stop.
int columns_of(const std::string& text, int bytes);
/// Is this code point's letter two columns wide (Unicode's East Asian Width W or F, by blocks)?
bool is_wide(unsigned code_point);
/// The code point of the UTF-8 sequence at a byte; a byte that begins none stands for itself.
unsigned code_point_at(const std::string& text, int byte);

}  // namespace dojo::gui
