#pragma once
// The whole window in an ImGui frame without a window: what is drawn, where, and what a click does.
#include <imgui.h>

#include <memory>

#include "fixtures.hpp"
#include "gui/panels/ui.hpp"
#include "gui/theme.hpp"

namespace dojo::gui::test {

/// A session and its window's frame, drawn without a window.
struct Stage {
  TempFolder folder;
  FakeRunner* runner = nullptr;
  std::unique_ptr<Session> s;
  std::unique_ptr<Ui> ui;
  double now = 0;
  Stage(float w = 1280, float h = 720, const char* look = "dark", float scale = 1) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {w, h};
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    for (int k = 0; k < ImGuiKey_COUNT; ++k) io.KeyMap[k] = 400 + k;
    io.KeyMap[ImGuiKey_Escape] = key::escape;
    io.KeyMap[ImGuiKey_Enter] = key::enter;
    build_fonts(scale);
    unsigned char* pixels;
    int tw, th;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &tw, &th);
    set_theme(look, scale);
    write_labs(folder.path);
    auto r = std::make_unique<FakeRunner>();
    runner = r.get();
    s = std::make_unique<Session>(load_catalog(folder.path), std::move(r), Places{}, make_devices());
    ui = std::make_unique<Ui>(*s);
  }
  ~Stage() {
    ui.reset();
    s.reset();
    ImGui::DestroyContext();
  }
  /// Draws one frame; returns the number of vertices.
  int frame() {
    ImGui::GetIO().DeltaTime = 1.0f / 60;
    s->tick(now += 1.0 / 60);
    ImGui::NewFrame();
    ui->frame();
    ImGui::Render();
    return ImGui::GetDrawData()->TotalVtxCount;
  }
  /// A number for what was drawn inside an area: places and colours of its vertices.
  uint64_t drawn(ImVec4 area) {
    frame();
    uint64_t h = 0;
    auto mix = [&](uint64_t v) { h = (h ^ v) * 1099511628211ull; };
    const ImDrawData* d = ImGui::GetDrawData();
    for (int k = 0; k < d->CmdListsCount; ++k)
      for (auto& v : d->CmdLists[k]->VtxBuffer)
        if (v.pos.x >= area.x && v.pos.x <= area.z && v.pos.y >= area.y && v.pos.y <= area.w)
          mix(uint64_t(v.pos.x * 4)), mix(uint64_t(v.pos.y * 4)), mix(v.col);
    return h;
  }
  int frames(int n) {
    int v = 0;
    for (int k = 0; k < n; ++k) v = frame();
    return v;
  }
  void click(float x, float y) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = {x, y};
    frames(2);
    io.MouseDown[0] = true;
    frames(2);
    io.MouseDown[0] = false;
    frames(2);
  }
  void press(int k, bool ctrl = false) {
    ImGuiIO& io = ImGui::GetIO();
    io.KeyCtrl = ctrl;
    io.KeysDown[k] = true;
    frame();
    io.KeysDown[k] = false;
    io.KeyCtrl = false;
    frame();
  }
};
}  // namespace dojo::gui::test
