// The window beside the main one: its context, its pixels, its mouse.
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <cfloat>
#include <utility>

#include "core/error.hpp"
#include "gui/window.hpp"

namespace dojo::gui {

SecondWindow::SecondWindow(Window& main, int width, int height, const char* title)
    : of_(main), main_(main.window_), title_(title) {
  int screens = 0, x = 0, y = 0, w = width, h = height;
  GLFWmonitor** all = glfwGetMonitors(&screens);
  if (screens > 0) glfwGetMonitorWorkarea(all[0], &x, &y, &w, &h);
  width = std::min(width, w), height = std::min(height, h);
  glfwWindowHint(GLFW_MAXIMIZED, GLFW_FALSE);
  glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);
  glfwWindowHint(GLFW_FOCUSED, GLFW_FALSE);  // the slides keep the keyboard
  window_ = glfwCreateWindow(width, height, title, nullptr, main_);
  if (!window_) {
    const char* why = nullptr;
    glfwGetError(&why);
    throw Error("The second window can't be opened" + (why ? ": " + std::string(why) : "."));
  }
  glfwSetWindowUserPointer(window_, &main);
  glfwSetKeyCallback(window_, Window::queue_key);
  glfwSetCharCallback(window_, Window::queue_character);  // what is typed into the palette, which keys open
  glfwSetScrollCallback(window_, [](GLFWwindow* on, double, double turned) {
    if (SecondWindow* s = static_cast<Window*>(glfwGetWindowUserPointer(on))->second_)
      s->wheel_ += float(turned);
  });
  main.second_ = this;
  // Of two screens the lecturer's is the first: in its middle, whatever the desktop would have chosen.
  if (screens > 1) glfwSetWindowPos(window_, x + (w - width) / 2, y + (h - height) / 2);
  // Textures, shaders and buffers are shared; the state of a frame is not.
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(0);
  glfwMakeContextCurrent(main_);
  ImGuiContext* before = ImGui::GetCurrentContext();
  own_ = ImGui::CreateContext(ImGui::GetIO().Fonts);
  ImGui::SetCurrentContext(own_);
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  ImGui::SetCurrentContext(before);
}

SecondWindow::~SecondWindow() {
  of_.second_ = nullptr;
  ImGuiContext* before = ImGui::GetCurrentContext();
  ImGui::DestroyContext(own_);
  ImGui::SetCurrentContext(before);
  glfwMakeContextCurrent(main_);
  glfwDestroyWindow(window_);
}

bool SecondWindow::closing() const { return glfwWindowShouldClose(window_); }

void SecondWindow::set_title(const std::string& s) {
  if (s == title_) return;
  title_ = s;
  glfwSetWindowTitle(window_, s.c_str());
}

void SecondWindow::draw(ImU32 ground, const std::function<void()>& body) {
  int w, h, fw, fh;
  glfwGetWindowSize(window_, &w, &h);
  glfwGetFramebufferSize(window_, &fw, &fh);
  if (w <= 0 || h <= 0 || glfwGetWindowAttrib(window_, GLFW_ICONIFIED)) return;
  ImGuiContext* before = ImGui::GetCurrentContext();
  const ImGuiStyle style = ImGui::GetStyle();
  ImFont* font = ImGui::GetIO().FontDefault;
  double x, y;
  glfwGetCursorPos(window_, &x, &y);
  ImGui::SetCurrentContext(own_);
  ImGui::GetStyle() = style;
  ImGuiIO& io = ImGui::GetIO();
  io.FontDefault = font;
  io.DisplaySize = {float(w), float(h)};
  io.DisplayFramebufferScale = {float(fw) / float(w), float(fh) / float(h)};
  io.DeltaTime = 1.0f / 60;
  io.MousePos =
      glfwGetWindowAttrib(window_, GLFW_HOVERED) ? ImVec2(float(x), float(y)) : ImVec2(-FLT_MAX, -FLT_MAX);
  io.MouseDown[0] = glfwGetMouseButton(window_, GLFW_MOUSE_BUTTON_LEFT) == GLFW_PRESS;
  io.MouseWheel = std::exchange(wheel_, 0.0f);
  ImGui::NewFrame();
  body();
  ImGui::Render();
  ImDrawData* data = ImGui::GetDrawData();
  ImGui::SetCurrentContext(before);  // whose renderer draws it
  glfwMakeContextCurrent(window_);
  glViewport(0, 0, fw, fh);
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(ground);
  glClearColor(c.x, c.y, c.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(data);
  glfwSwapBuffers(window_);
  glfwMakeContextCurrent(main_);
}

std::vector<unsigned char> SecondWindow::pixels(int* width, int* height) {
  glfwGetFramebufferSize(window_, width, height);
  std::vector<unsigned char> up(size_t(*width) * size_t(*height) * 3), out(up.size());
  // What was swapped away can't be read: it is drawn once more.
  ImGuiContext* before = ImGui::GetCurrentContext();
  ImGui::SetCurrentContext(own_);
  ImDrawData* data = ImGui::GetDrawData();
  ImGui::SetCurrentContext(before);
  glfwMakeContextCurrent(window_);
  glViewport(0, 0, *width, *height);
  if (data) ImGui_ImplOpenGL3_RenderDrawData(data);
  glFinish();
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, *width, *height, GL_RGB, GL_UNSIGNED_BYTE, up.data());
  glfwMakeContextCurrent(main_);
  const size_t row = size_t(*width) * 3;
  for (int k = 0; k < *height; ++k)
    std::copy_n(up.data() + size_t(*height - 1 - k) * row, row, out.data() + size_t(k) * row);
  return out;
}

}  // namespace dojo::gui
