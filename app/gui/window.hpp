#pragma once
// A GLFW window with OpenGL 3 and ImGui in it. Nothing of WarpDojo's own content.
#include <imgui.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "gui/damage.hpp"

struct GLFWwindow;

namespace dojo::gui {

class Window {
 public:
  /// Opens a window of a size in screen units. Throws Error when there is no display or no OpenGL 3.
  Window(int width, int height, bool maximized, const char* title);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  bool closing() const;
  /// The display's scale (1, 1.5, 2, ...).
  float content_scale() const;
  void get_size(int* width, int* height, bool* maximized) const;
  void set_title(const std::string&);
  void set_fullscreen(bool);
  bool fullscreen() const { return fullscreen_; }
  /// Waits for events, at most `seconds`; 0 only looks.
  void wait(double seconds);
  /// Ends a wait, from any thread.
  static void wake();
  void new_frame();
  /// Draws what changed since the frame before (damage.hpp). False: nothing did, and there is nothing to swap.
  bool render(ImU32 ground);
  void swap();
  /// After fonts were built anew.
  void upload_fonts();
  /// RGB pixels of a part of what was rendered, in screen units from the top left.
  std::vector<unsigned char> pixels(ImVec2 min, ImVec2 max, int* width, int* height);

 private:
  GLFWwindow* window_ = nullptr;
  bool fullscreen_ = false;
  int kept_[4] = {0, 0, 0, 0};
  // The last frame's pixels outlive a swap in a frame buffer of their own; without one each frame is drawn whole.
  struct Canvas;
  std::unique_ptr<Canvas> canvas_;
  Damage damage_;
};

/// Writes RGB pixels as PNG. Returns an empty string, or what went wrong.
std::string write_png(const std::filesystem::path&, int width, int height, const std::vector<unsigned char>& rgb);

}  // namespace dojo::gui
