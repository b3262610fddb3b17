#pragma once
// The one command table: menus, keys, the palette and the help sheet are all made from it.
#include <functional>
#include <string>
#include <vector>

namespace dojo::gui {

/// A key with modifiers. `key` is GLFW's code (letters are their upper-case ASCII); 0 is no key.
struct Chord {
  int key = 0;
  bool ctrl = false, shift = false, alt = false;
  bool operator==(const Chord&) const = default;
};
/// "Ctrl+Shift+P"; "" without a key.
std::string to_string(const Chord&);

struct Command {
  std::string id = {};           ///< "run.run": stable
  std::string menu = {};         ///< "Run"; empty: in no menu
  std::string title = {};        ///< "Run this step"
  std::string help = {};         ///< one sentence for the help sheet
  std::vector<Chord> keys = {};  ///< the first is shown
  std::function<void()> act = {};
  std::function<bool()> enabled = {};  ///< null: always
  std::string needs = {};              ///< what `enabled` asks for, in words: "an open step"
  std::function<bool()> checked = {};  ///< null: not a switch
  bool in_text = false;  ///< also while a text field has the keyboard (always so for Ctrl and function keys)
  bool separator = false;  ///< a line above it in its menu
  bool usable() const { return !enabled || enabled(); }
};

class CommandTable {
 public:
  void add(Command);
  const std::vector<Command>& all() const { return all_; }
  const Command* find(const std::string& id) const;
  /// Menu names in order of first appearance.
  std::vector<std::string> menus() const;
  /// Runs the command bound to a chord. False when there is none or it is not usable now.
  bool press(const Chord&, bool typing) const;
  bool run(const std::string& id) const;
  /// Commands that match a few letters, best first: all letters in order, with starts of words weighing most.
  std::vector<const Command*> search(const std::string& letters) const;
  /// Chords bound twice, as "Ctrl+P: a, b": must be empty.
  std::vector<std::string> clashes() const;

 private:
  std::vector<Command> all_;
};

/// The score of `letters` in `text`, or -1 when they aren't all there in order.
int fuzzy_score(const std::string& letters, const std::string& text);

namespace key {
// GLFW's codes, so that models need no header of it.
inline constexpr int space = 32, comma = 44, minus = 45, period = 46, slash = 47, zero = 48, equal = 61,
                     escape = 256, enter = 257, tab = 258, backspace = 259, insert = 260, del = 261,
                     right = 262, left = 263, down = 264, up = 265, page_up = 266, page_down = 267,
                     home = 268, end = 269, f1 = 290, f3 = 292, f4 = 293, f5 = 294, f6 = 295, f7 = 296,
                     f8 = 297, f9 = 298, f10 = 299, f11 = 300, keypad_add = 334, keypad_subtract = 333,
                     keypad_0 = 320, keypad_enter = 335;
}  // namespace key

}  // namespace dojo::gui
