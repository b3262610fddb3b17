#pragma once
// The text of the editor: lines, caret, selection, undo. Columns are bytes; the caret never stands inside a
// UTF-8 sequence. No drawing and no keys here.
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dojo::gui {

struct Caret {
  int line = 0, column = 0;  ///< both from 0
  auto operator<=>(const Caret&) const = default;
};

class TextBuffer {
 public:
  TextBuffer() { set(""); }
  /// Replaces all text, forgets the undo history, marks as saved. Line ends \r\n become \n.
  void set(std::string_view text);
  /// Replaces all text as one edit that can be undone (a reset, a file changed on the disk).
  void replace_all(std::string_view text);
  std::string text() const;
  const std::vector<std::string>& lines() const { return lines_; }
  int line_count() const { return int(lines_.size()); }
  /// A number for the text: undo and redo bring back the number of the text that they bring back, and every
  /// other change makes a new one.
  uint64_t version() const { return version_; }

  Caret caret() const { return caret_; }
  Caret anchor() const { return anchor_; }
  bool has_selection() const { return caret_ != anchor_; }
  std::string selected() const;
  void move_to(Caret, bool select = false);
  void select_all();
  /// Words are letters, digits and _; others stand alone.
  void select_word(Caret);

  void left(bool select, bool word = false);
  void right(bool select, bool word = false);
  void up(bool select, int lines = 1);
  void down(bool select, int lines = 1);
  void home(bool select);  ///< first to the indentation, then to column 0
  void end(bool select);

  /// Types text in the place of the selection. A '}' that begins its line moves out to the line of its '{'.
  void type(std::string_view text);
  size_t bytes() const;  ///< of the text
  void newline();        ///< keeps the indentation, and adds a level after '{'
  void backspace(bool word = false);
  void del(bool word = false);
  /// Tab: indents the selected lines, or inserts two spaces; `out` takes a level away.
  void indent(bool out);
  /// Adds or removes "// " on the lines of the selection.
  void toggle_comment();

  void undo();
  void redo();
  bool can_undo() const { return undo_at_ > 0; }
  bool can_redo() const { return undo_at_ < undo_.size(); }
  bool modified() const { return saved_at_ != undo_at_; }
  void mark_saved() { saved_at_ = undo_at_; }

  /// The next place of `needle` after the caret (wraps), selected. False when there is none. Case counts
  /// where `needle` has capital letters (find_text).
  bool find_next(std::string_view needle, bool backwards = false);
  /// Where a text stands, without overlaps, in order; none for an empty one.
  std::vector<Caret> places(std::string_view needle) const;

 private:
  struct Edit {
    Caret at;  // where both texts start
    std::string removed, added;
    Caret before, before_anchor, after;
    uint64_t version_before = 0, version_after = 0;
    bool typing = false;  // may be joined with the next letter
  };
  std::string cut(Caret from, Caret to);       // raw removal
  Caret put(Caret at, std::string_view text);  // raw insertion, returns the end
  void apply(Caret from, Caret to, std::string_view text, bool typing = false);
  Caret clamp(Caret) const;
  Caret word_left(Caret) const;
  Caret word_right(Caret) const;

  std::vector<std::string> lines_;
  Caret caret_, anchor_;
  int wish_ = -1;  // column that up and down try to keep
  std::vector<Edit> undo_;
  size_t undo_at_ = 0, saved_at_ = 0;
  uint64_t version_ = 1, last_version_ = 1;
};

/// The first place of `needle` in a line from column `from` on, npos if there is none. A needle without
/// capital letters also finds them: "hello" finds "Hello", "Hello" finds itself alone.
size_t find_text(std::string_view line, std::string_view needle, size_t from = 0);

}  // namespace dojo::gui
