#pragma once
// Keys, characters and mouse events in the order in which they came, handed to ImGui over as many frames as
// they need. ImGui 1.86 looks at the state of keys and buttons once per frame: two events that meet in one
// frame (a slow one, or the first) would overwrite each other. Example: "Ctrl down, S down, S up, Ctrl up, A
// down" becomes two frames, Ctrl+S and then A. A key that may open a text field (Ctrl+P, F5, Enter) is
// followed by frames without keys: the field takes the keyboard in them, and gets the first letter too.
#include <deque>
#include <set>

namespace dojo::gui {

struct InputEvent {
  enum Kind { key, character, button, move, wheel } kind = key;
  int code = 0;  ///< key (GLFW's code), Unicode code point, or mouse button
  bool down = false;
  int scan = 0, modifiers = 0;
  double x = 0, y = 0;  ///< move: position in screen units; wheel: amount
};

class InputQueue {
 public:
  void push(const InputEvent& e) { waiting_.push_back(e); }
  bool empty() const { return waiting_.empty(); }
  void begin_frame();
  /// The next event that may join this frame. False: none, or the next one must wait for another frame.
  bool take(InputEvent&);

 private:
  bool conflicts(const InputEvent&) const;
  std::deque<InputEvent> waiting_;
  std::set<int> keys_, buttons_;  ///< that changed in this frame
  bool character_ = false, key_down_ = false;
  bool command_ = false;  ///< this frame had a key that may open a field
  int settling_ = 0;      ///< frames, this one too, in which no key is handed out
};

}  // namespace dojo::gui
