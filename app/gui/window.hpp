#pragma once
// A GLFW window with OpenGL 3 and ImGui in it. Nothing of WarpDojo's own content.
#include <imgui.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gui/damage.hpp"
#include "gui/input_queue.hpp"

struct GLFWwindow;

namespace dojo::gui {

class SecondWindow;

class Window {
 public:
  /// Opens a window of a size in screen units. Throws Error when there is no display or no OpenGL 3.
  Window(int width, int height, bool maximized, const char* title);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  bool closing() const;
  void keep_open();  ///< takes back that it should close
  /// The display's scale (1, 1.5, 2, ...).
  float content_scale() const;
  void get_size(int* width, int* height, bool* maximized) const;
  void set_title(const std::string&);
  void set_fullscreen(bool);
  bool fullscreen() const { return fullscreen_; }
  /// There is a second screen: full screen is there.
  static bool two_screens();
  /// Waits for events, at most `seconds`; 0 only looks. True when some came, or wait for the next frame.
  bool wait(double seconds);
  /// Ends a wait, from any thread.
  static void wake();
  /// A file or folder that was dropped on the window, once; else empty.
  std::string take_drop();
  void new_frame();
  /// Draws what changed since the frame before (damage.hpp). False: nothing did, and there is nothing to
  /// swap.
  bool render(ImU32 ground);
  void swap();
  /// After fonts were built anew.
  void upload_fonts();
  /// RGB pixels of a part of what was rendered, in screen units from the top left.
  std::vector<unsigned char> pixels(ImVec2 min, ImVec2 max, int* width, int* height);

 private:
  friend class SecondWindow;
  SecondWindow* second_ = nullptr;
  GLFWwindow* window_ = nullptr;
  bool fullscreen_ = false;
  int kept_[4] = {0, 0, 0, 0};
  // The last frame's pixels outlive a swap in a frame buffer of their own; without one each frame is drawn
  // whole.
  struct Canvas;
  std::unique_ptr<Canvas> canvas_;
  Damage damage_;
  std::string dropped_;
  static void queue_key(GLFWwindow*, int key, int scan, int action, int mods);
  static void queue_character(GLFWwindow*, unsigned code_point);
  static void queue_events_of(GLFWwindow*);
  InputQueue input_;
  bool buttons_[5] = {}, mouse_known_ = false;
  ImVec2 mouse_;
};

/// A window beside the main one, with an ImGui context of its own that shares the main one's fonts and look.
/// Its keys go to the main window, its mouse to what it shows. Only to be drawn between two frames of the
/// main window.
class SecondWindow {
 public:
  /// No larger than the lecturer's screen. Throws Error when it can't be opened.
  SecondWindow(Window& main, int width, int height, const char* title);
  ~SecondWindow();
  SecondWindow(const SecondWindow&) = delete;
  SecondWindow& operator=(const SecondWindow&) = delete;
  bool closing() const;
  void set_title(const std::string&);
  /// `body` draws between NewFrame and Render of the own context.
  void draw(ImU32 ground, const std::function<void()>& body);
  /// Of what was drawn last.
  std::vector<unsigned char> pixels(int* width, int* height);

 private:
  Window& of_;
  GLFWwindow *window_ = nullptr, *main_ = nullptr;
  ImGuiContext* own_ = nullptr;
  float wheel_ = 0;  ///< turned since the last frame
  std::string title_;
};

/// Writes RGB pixels as PNG. Returns an empty string, or what went wrong.
std::string write_png(const std::filesystem::path&, int width, int height,
                      const std::vector<unsigned char>& rgb);

}  // namespace dojo::gui
