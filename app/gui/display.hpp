#pragma once
// A virtual display (Xvfb) for figures, pictures and tests.
#include <string>

namespace dojo::gui {

class VirtualDisplay {
 public:
  /// Starts Xvfb with one screen and sets $DISPLAY to it. Throws Error saying what to install when it is
  /// missing.
  VirtualDisplay(int width, int height);
  ~VirtualDisplay();
  VirtualDisplay(const VirtualDisplay&) = delete;
  VirtualDisplay& operator=(const VirtualDisplay&) = delete;
  const std::string& name() const { return name_; }

 private:
  int pid_ = -1;
  std::string name_, before_;
};

}  // namespace dojo::gui
