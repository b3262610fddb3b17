#include "gui/input_queue.hpp"

#include <algorithm>

namespace dojo::gui {

namespace {
bool modifier(int key) { return key >= 340 && key <= 347; }  // GLFW: left shift to right super
/// May a text field come of it? Function keys, Enter, and what is pressed with Control or Alt.
bool command(const InputEvent& e) {
  constexpr int control_or_alt = 2 | 4, enter = 257, keypad_enter = 335, f1 = 290, f25 = 314;
  return (e.modifiers & control_or_alt) || e.code == enter || e.code == keypad_enter ||
         (e.code >= f1 && e.code <= f25);
}
bool printable(int key) { return key >= 32 && key <= 96; }  // a character event follows
}  // namespace

void InputQueue::begin_frame() {
  keys_.clear();
  buttons_.clear();
  character_ = key_down_ = false;
  // A field is drawn in the next frame, asks for the keyboard there, and has it in the one after that.
  settling_ = command_ ? 2 : std::max(0, settling_ - 1);
  command_ = false;
}

bool InputQueue::conflicts(const InputEvent& e) const {
  if (settling_ && (e.kind == InputEvent::character || (e.kind == InputEvent::key && e.down))) return true;
  switch (e.kind) {
    case InputEvent::key:
      if (keys_.count(e.code) || !buttons_.empty()) return true;
      // A modifier counts for what comes after it.
      if (modifier(e.code)) return key_down_ || character_;
      // Keys that edit or move act in an order of their own within a frame.
      return e.down && (printable(e.code) ? key_down_ && !character_ : key_down_ || character_);
    case InputEvent::character:
      return !buttons_.empty();
    case InputEvent::button:
      return buttons_.count(e.code) || key_down_ || character_;
    case InputEvent::move:
      return !buttons_.empty();
    case InputEvent::wheel:
      return !buttons_.empty();
  }
  return false;
}

bool InputQueue::take(InputEvent& e) {
  if (waiting_.empty() || conflicts(waiting_.front())) return false;
  e = waiting_.front();
  waiting_.pop_front();
  if (e.kind == InputEvent::key) {
    keys_.insert(e.code);
    key_down_ |= e.down && !modifier(e.code);
    command_ |= e.down && !modifier(e.code) && command(e);
  } else if (e.kind == InputEvent::character) {
    character_ = true;
  } else if (e.kind == InputEvent::button) {
    buttons_.insert(e.code);
  }
  return true;
}

}  // namespace dojo::gui
