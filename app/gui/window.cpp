#include "gui/window.hpp"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <stb_image_write.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "core/error.hpp"

namespace dojo::gui {

namespace {
std::string last_error;
void on_error(int, const char* text) { last_error = text ? text : ""; }

// ImGui 1.86 looks at the keys once a frame: a tap that begins and ends between two frames would be lost. Its
// release waits for the next frame.
std::vector<int> pressed_now;
std::vector<std::array<int, 3>> late_releases;  // key, scan code, modifiers
void on_key(GLFWwindow* w, int key, int scan, int action, int mods) {
  if (action == GLFW_PRESS) pressed_now.push_back(key);
  if (action == GLFW_RELEASE && std::find(pressed_now.begin(), pressed_now.end(), key) != pressed_now.end()) {
    late_releases.push_back({key, scan, mods});
    return;
  }
  ImGui_ImplGlfw_KeyCallback(w, key, scan, action, mods);
}
}  // namespace

Window::Window(int width, int height, bool maximized, const char* title) {
  glfwSetErrorCallback(on_error);
  if (!glfwInit()) throw Error("No window can be opened: " + (last_error.empty() ? "there is no display." : last_error));
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_MAXIMIZED, maximized);
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
  ImGui_ImplGlfw_InitForOpenGL(window_, true);
  glfwSetKeyCallback(window_, on_key);
  ImGui_ImplOpenGL3_Init("#version 330 core");
}

Window::~Window() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

bool Window::closing() const { return glfwWindowShouldClose(window_); }

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
    if (GLFWmonitor* m = glfwGetPrimaryMonitor())
      if (const GLFWvidmode* v = glfwGetVideoMode(m)) glfwSetWindowMonitor(window_, m, 0, 0, v->width, v->height, v->refreshRate);
  } else {
    glfwSetWindowMonitor(window_, nullptr, kept_[0], kept_[1], kept_[2], kept_[3], 0);
  }
}

void Window::wait(double seconds) {
  pressed_now.clear();
  auto late = std::move(late_releases);
  late_releases.clear();
  for (auto& k : late) ImGui_ImplGlfw_KeyCallback(window_, k[0], k[1], GLFW_RELEASE, k[2]);
  if (!late.empty()) seconds = std::min(seconds, 0.001);
  if (seconds <= 0) glfwPollEvents();
  else glfwWaitEventsTimeout(seconds);
}

void Window::wake() { glfwPostEmptyEvent(); }

void Window::new_frame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
}

void Window::render(ImU32 ground) {
  int w, h;
  glfwGetFramebufferSize(window_, &w, &h);
  glViewport(0, 0, w, h);
  ImVec4 c = ImGui::ColorConvertU32ToFloat4(ground);
  glClearColor(c.x, c.y, c.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void Window::swap() { glfwSwapBuffers(window_); }

void Window::upload_fonts() {
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
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
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(x0, fh - y1, *width, *height, GL_RGB, GL_UNSIGNED_BYTE, up.data());
  size_t row = size_t(*width) * 3;
  for (int y = 0; y < *height; ++y) std::copy_n(up.data() + size_t(*height - 1 - y) * row, row, out.data() + size_t(y) * row);
  return out;
}

std::string write_png(const std::filesystem::path& file, int width, int height, const std::vector<unsigned char>& rgb) {
  std::error_code ec;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), ec);
  if (width <= 0 || height <= 0) return "there is nothing to save";
  return stbi_write_png(file.c_str(), width, height, 3, rgb.data(), width * 3) ? "" : file.string() + " can't be written";
}

}  // namespace dojo::gui
