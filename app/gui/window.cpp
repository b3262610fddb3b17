#include "gui/window.hpp"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <stb_image_write.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include "core/error.hpp"

namespace dojo::gui {

namespace {
std::string last_error;
void on_error(int, const char* text) { last_error = text ? text : ""; }

}  // namespace

/// A frame buffer object of the window's size.
struct Window::Canvas {
  static constexpr GLenum frame = 0x8D40, read = 0x8CA8, draw = 0x8CA9, colour = 0x8CE0, complete = 0x8CD5;
  void (*gen)(GLsizei, GLuint*) = nullptr;
  void (*drop)(GLsizei, const GLuint*) = nullptr;
  void (*bind)(GLenum, GLuint) = nullptr;
  void (*attach)(GLenum, GLenum, GLenum, GLuint, GLint) = nullptr;
  GLenum (*check)(GLenum) = nullptr;
  void (*blit)(GLint, GLint, GLint, GLint, GLint, GLint, GLint, GLint, GLbitfield, GLenum) = nullptr;
  GLuint object = 0, texture = 0;
  int width = 0, height = 0;

  Canvas() {
    auto load = [](auto& f, const char* name) {
      f = reinterpret_cast<std::remove_reference_t<decltype(f)>>(glfwGetProcAddress(name));
      return f != nullptr;
    };
    usable = load(gen, "glGenFramebuffers") && load(drop, "glDeleteFramebuffers") &&
             load(bind, "glBindFramebuffer") && load(attach, "glFramebufferTexture2D") &&
             load(check, "glCheckFramebufferStatus") && load(blit, "glBlitFramebuffer");
  }
  ~Canvas() {
    if (object) drop(1, &object);
    if (texture) glDeleteTextures(1, &texture);
  }
  /// True when it is new, and empty.
  bool resize(int w, int h) {
    if (!usable || (object && w == width && h == height)) return false;
    width = w, height = h;
    if (!texture) glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, w, h, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    if (!object) gen(1, &object);
    bind(frame, object);
    attach(frame, colour, GL_TEXTURE_2D, texture, 0);
    usable = check(frame) == complete;
    bind(frame, 0);
    return true;
  }
  bool usable = false;
};

Window::Window(int width, int height, bool maximized, const char* title) {
  glfwSetErrorCallback(on_error);
  if (!glfwInit())
    throw Error("No window can be opened: " + (last_error.empty() ? "there is no display." : last_error));
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_MAXIMIZED, maximized);
  // Slides stay where they are when the notes window has the keyboard.
  glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "warpdojo");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "warpdojo");
  // No larger than the screen that is there.
  if (GLFWmonitor* m = glfwGetPrimaryMonitor()) {
    int x, y, w, h;
    glfwGetMonitorWorkarea(m, &x, &y, &w, &h);
    if (w > 0 && h > 0) width = std::min(width, w), height = std::min(height, h);
  }
  window_ = glfwCreateWindow(width, height, title, nullptr, nullptr);
  if (!window_) {
    glfwTerminate();
    throw Error("No window can be opened: " + (last_error.empty() ? "OpenGL 3.3 is missing." : last_error));
  }
  glfwSetWindowSizeLimits(window_, 640, 400, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(1);
  glfwSetWindowUserPointer(window_, this);
  ImGui_ImplGlfw_InitForOpenGL(window_, true);
  queue_events_of(window_);
  ImGui_ImplOpenGL3_Init("#version 330 core");
  canvas_ = std::make_unique<Canvas>();
  glfwSetDropCallback(window_, [](GLFWwindow* w, int n, const char** paths) {
    if (n > 0) static_cast<Window*>(glfwGetWindowUserPointer(w))->dropped_ = paths[0];
  });
  // Uncovered or shown again: what is on the screen is gone.
  glfwSetWindowRefreshCallback(
      window_, [](GLFWwindow* w) { static_cast<Window*>(glfwGetWindowUserPointer(w))->damage_.forget(); });
}

Window::~Window() {
  canvas_.reset();
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

std::string Window::take_drop() { return std::exchange(dropped_, {}); }

bool Window::closing() const { return glfwWindowShouldClose(window_); }
void Window::keep_open() { glfwSetWindowShouldClose(window_, GLFW_FALSE); }

float Window::content_scale() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  // Where the frame buffer has more pixels than the window has units, ImGui scales by itself.
  int w, h, fw, fh;
  glfwGetWindowSize(window_, &w, &h);
  glfwGetFramebufferSize(window_, &fw, &fh);
  float own = w > 0 ? float(fw) / float(w) : 1;
  return std::clamp(x / std::max(1.0f, own), 0.5f, 4.0f);
}

void Window::get_size(int* width, int* height, bool* maximized) const {
  glfwGetWindowSize(window_, width, height);
  *maximized = glfwGetWindowAttrib(window_, GLFW_MAXIMIZED);
}

void Window::set_title(const std::string& s) { glfwSetWindowTitle(window_, s.c_str()); }

void Window::set_fullscreen(bool on) {
  if (on == fullscreen_) return;
  fullscreen_ = on;
  if (on) {
    glfwGetWindowPos(window_, &kept_[0], &kept_[1]);
    glfwGetWindowSize(window_, &kept_[2], &kept_[3]);
    // The projector is the second screen; the lecturer keeps the first.
    int n = 0;
    GLFWmonitor** all = glfwGetMonitors(&n);
    if (GLFWmonitor* m = n > 1 ? all[1] : glfwGetPrimaryMonitor())
      if (const GLFWvidmode* v = glfwGetVideoMode(m))
        glfwSetWindowMonitor(window_, m, 0, 0, v->width, v->height, v->refreshRate);
  } else {
    glfwSetWindowMonitor(window_, nullptr, kept_[0], kept_[1], kept_[2], kept_[3], 0);
  }
}

void Window::queue_key(GLFWwindow* w, int key, int scan, int action, int mods) {
  if (action == GLFW_REPEAT) return;  // ImGui repeats held keys by itself
  static_cast<Window*>(glfwGetWindowUserPointer(w))
      ->input_.push({InputEvent::key, key, action == GLFW_PRESS, scan, mods});
}

void Window::queue_character(GLFWwindow* w, unsigned c) {
  static_cast<Window*>(glfwGetWindowUserPointer(w))->input_.push({InputEvent::character, int(c)});
}

void Window::queue_events_of(GLFWwindow* window) {
  glfwSetKeyCallback(window, queue_key);
  glfwSetCharCallback(window, queue_character);
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int mods) {
    static_cast<Window*>(glfwGetWindowUserPointer(w))
        ->input_.push({InputEvent::button, button, action == GLFW_PRESS, 0, mods});
  });
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
    static_cast<Window*>(glfwGetWindowUserPointer(w))->input_.push({InputEvent::move, 0, false, 0, 0, x, y});
  });
  glfwSetScrollCallback(window, [](GLFWwindow* w, double x, double y) {
    static_cast<Window*>(glfwGetWindowUserPointer(w))->input_.push({InputEvent::wheel, 0, false, 0, 0, x, y});
  });
}

bool Window::wait(double seconds) {
  if (seconds <= 0 || !input_.empty())
    glfwPollEvents();
  else
    glfwWaitEventsTimeout(seconds);
  input_.begin_frame();
  bool any = false;
  for (InputEvent e; input_.take(e); any = true) {
    if (e.kind == InputEvent::key)
      ImGui_ImplGlfw_KeyCallback(window_, e.code, e.scan, e.down ? GLFW_PRESS : GLFW_RELEASE, e.modifiers);
    else if (e.kind == InputEvent::character)
      ImGui_ImplGlfw_CharCallback(window_, unsigned(e.code));
    else if (e.kind == InputEvent::wheel)
      ImGui_ImplGlfw_ScrollCallback(window_, e.x, e.y);
    else if (e.kind == InputEvent::button && e.code < int(IM_ARRAYSIZE(buttons_)))
      buttons_[e.code] = e.down;
    else if (e.kind == InputEvent::move)
      mouse_ = {float(e.x), float(e.y)}, mouse_known_ = true;
  }
  return any || !input_.empty();
}

void Window::wake() { glfwPostEmptyEvent(); }

void Window::new_frame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  // The backend asks for the mouse's state now; the queue knows it as of this frame's events.
  ImGuiIO& io = ImGui::GetIO();
  for (int k = 0; k < int(IM_ARRAYSIZE(buttons_)); ++k) io.MouseDown[k] = buttons_[k];
  if (mouse_known_ && io.MousePos.x != -FLT_MAX) io.MousePos = mouse_;
}

bool Window::render(ImU32 ground) {
  int w, h;
  glfwGetFramebufferSize(window_, &w, &h);
  ImDrawData* data = ImGui::GetDrawData();
  if (w <= 0 || h <= 0 || !data) return false;
  Canvas& canvas = *canvas_;
  if (canvas.resize(w, h) || !canvas.usable) damage_.forget();
  bool all = false;
  const std::vector<DamageRect> parts = damage_.next(*data, &all);
  if (parts.empty()) return false;
  if (canvas.usable) canvas.bind(Canvas::frame, canvas.object);
  glViewport(0, 0, w, h);
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(ground);
  glClearColor(c.x, c.y, c.z, 1);
  if (all) {
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(data);
  } else {
    std::vector<ImVec4> clips;
    for (int k = 0; k < data->CmdListsCount; ++k)
      for (auto& command : data->CmdLists[k]->CmdBuffer) clips.push_back(command.ClipRect);
    for (auto& r : parts) {
      size_t at = 0;
      for (int k = 0; k < data->CmdListsCount; ++k)
        for (auto& command : data->CmdLists[k]->CmdBuffer) {
          command.ClipRect = clip_to_part(clips[at++], r, float(h));
        }
      ImGui_ImplOpenGL3_RenderDrawData(data);
    }
    size_t at = 0;
    for (int k = 0; k < data->CmdListsCount; ++k)
      for (auto& command : data->CmdLists[k]->CmdBuffer) command.ClipRect = clips[at++];
  }
  if (canvas.usable) {
    canvas.bind(Canvas::read, canvas.object);
    canvas.bind(Canvas::draw, 0);
    canvas.blit(0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    canvas.bind(Canvas::frame, 0);
  }
  return true;
}

void Window::swap() { glfwSwapBuffers(window_); }

void Window::upload_fonts() {
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
  damage_.forget();
}

std::vector<unsigned char> Window::pixels(ImVec2 min, ImVec2 max, int* width, int* height) {
  int w, h, fw, fh;
  glfwGetWindowSize(window_, &w, &h);
  glfwGetFramebufferSize(window_, &fw, &fh);
  float s = w > 0 ? float(fw) / float(w) : 1;
  int x0 = std::clamp(int(std::floor(min.x * s)), 0, fw), y0 = std::clamp(int(std::floor(min.y * s)), 0, fh);
  int x1 = std::clamp(int(std::ceil(max.x * s)), x0, fw), y1 = std::clamp(int(std::ceil(max.y * s)), y0, fh);
  *width = x1 - x0;
  *height = y1 - y0;
  std::vector<unsigned char> up(size_t(*width) * size_t(*height) * 3), out(up.size());
  if (up.empty()) return out;
  glFinish();
  const bool own = canvas_->usable && canvas_->object;  // the back buffer's pixels are gone after a swap
  if (own) canvas_->bind(Canvas::read, canvas_->object);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(x0, fh - y1, *width, *height, GL_RGB, GL_UNSIGNED_BYTE, up.data());
  if (own) canvas_->bind(Canvas::frame, 0);
  size_t row = size_t(*width) * 3;
  for (int y = 0; y < *height; ++y)
    std::copy_n(up.data() + size_t(*height - 1 - y) * row, row, out.data() + size_t(y) * row);
  return out;
}

bool Window::two_screens() {
  int n = 0;
  glfwGetMonitors(&n);
  return n > 1;
}

std::string write_png(const std::filesystem::path& file, int width, int height,
                      const std::vector<unsigned char>& rgb) {
  std::error_code ec;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), ec);
  if (width <= 0 || height <= 0) return "there is nothing to save";
  return stbi_write_png(file.c_str(), width, height, 3, rgb.data(), width * 3)
             ? ""
             : file.string() + " can't be written";
}

}  // namespace dojo::gui
