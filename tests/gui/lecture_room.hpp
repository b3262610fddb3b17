#pragma once
// A lecture without a window: a deck of five slides over the prepared labs, a session with the stand-in
// worker, and the panels drawn frame by frame.
#include <imgui.h>

#include <fstream>

#include "fixtures.hpp"
#include "gui/panels/ui.hpp"
#include "gui/theme.hpp"

namespace dojo::gui::test {

inline constexpr const char* deck_text = R"(title = "A talk"
lab = "demo"
[[slide]]
title = "Words"
step = "demo/1"
text = "It takes {{time_us}} us, *more* than `one`."
notes = "Breathe."
[[slide]]
title = "How long?"
show = "time"
hide = true
question = "Longer or shorter?"
text = "Now {{time_us}} us."
notes = "Let them vote."
[[slide]]
title = "Only the reference"
step = "demo/2"
show = "bounds"
who = "reference"
against = "demo/1"
[[slide]]
title = "In slow motion"
step = "demo/1"
show = "motion"
stop = "conflict"
[[slide]]
title = "The source"
show = "source"
)";

struct Room {
  TempFolder folder;
  FakeRunner* runner = nullptr;
  std::unique_ptr<Session> s;
  std::unique_ptr<Ui> ui;
  double now = 0;
  fs::path deck;
  explicit Room(const std::string& text = deck_text, float w = 1280, float h = 720) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {w, h};
    for (int k = 0; k < ImGuiKey_COUNT; ++k) io.KeyMap[k] = 400 + k;
    io.KeyMap[ImGuiKey_Escape] = key::escape;
    build_fonts(1);
    unsigned char* pixels;
    int tw, th;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &tw, &th);
    set_theme("contrast", 1);
    write_labs(folder.path);
    deck = folder.path / "talk.toml";
    std::ofstream(deck) << text;
    auto r = std::make_unique<FakeRunner>();
    runner = r.get();
    s = std::make_unique<Session>(load_catalog(folder.path), std::move(r),
                                  Places{folder.path / "config", folder.path / "data"}, make_devices());
    ui = std::make_unique<Ui>(*s);
  }
  ~Room() {
    ui.reset();
    s.reset();
    ImGui::DestroyContext();
  }
  void frame() {
    ImGui::GetIO().DeltaTime = 1.0f / 60;
    s->tick(now += 0.02);
    ImGui::NewFrame();
    ui->frame();
    ImGui::Render();
  }
  void frames(int n) {
    for (int k = 0; k < n; ++k) frame();
  }
  void press(int k) {
    ImGui::GetIO().KeysDown[k] = true;
    frame();
    ImGui::GetIO().KeysDown[k] = false;
    frame();
  }
  using Boxes = std::vector<std::pair<std::string, std::vector<float>>>;
  Boxes boxes() {
    Boxes out;
    for (auto& [name, r] : ui->window.layout)
      if (!name.starts_with("foot ")) out.push_back({name, {r.x, r.y, r.z, r.w}});  // words there come and go
    return out;
  }
};

}  // namespace dojo::gui::test
