// What changed between two frames is found, whatever changed, and nothing more than its surroundings.
#include "gui/damage.hpp"

#include <doctest/doctest.h>
#include <imgui.h>

#include <functional>

using namespace dojo::gui;

namespace {
struct Frames {
  Frames() {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {800, 600};
    unsigned char* p;
    int w, h;
    io.Fonts->GetTexDataAsRGBA32(&p, &w, &h);
  }
  ~Frames() { ImGui::DestroyContext(); }
  std::vector<DamageRect> draw(const std::function<void(ImDrawList*)>& body) {
    ImGui::NewFrame();
    body(ImGui::GetForegroundDrawList());
    ImGui::Render();
    return damage.next(*ImGui::GetDrawData(), &all);
  }
  Damage damage;
  bool all = false;
};

bool inside(const std::vector<DamageRect>& parts, float x0, float y0, float x1, float y1) {
  // Every point of a fine grid over the rectangle lies in some part.
  for (float x = x0; x <= x1; x += 2)
    for (float y = y0; y <= y1; y += 2) {
      bool found = false;
      for (auto& r : parts) found |= x >= r.x0 && x <= r.x1 && y >= r.y0 && y <= r.y1;
      if (!found) return false;
    }
  return true;
}
float covered(const std::vector<DamageRect>& parts) {
  float a = 0;
  for (auto& r : parts) a += r.area();
  return a;
}
}  // namespace

TEST_CASE("damage: the first frame is whole, an equal one is none") {
  Frames f;
  auto body = [](ImDrawList* d) { d->AddRectFilled({10, 10}, {50, 50}, IM_COL32_WHITE); };
  f.draw(body);
  CHECK(f.all);
  CHECK(f.draw(body).empty());
  f.damage.forget();
  f.draw(body);
  CHECK(f.all);
}

TEST_CASE(
    "damage: parts beside each other leave no column and no row out, whatever fraction a clip begins at") {
  const float height = 950;
  // As the backend calls glScissor: from the lower left corner, in whole pixels.
  const auto scissor = [&](const ImVec4& c) {
    const int x = int(c.x), bottom = int(height - c.w), w = int(c.z - c.x), h = int(c.w - c.y);
    return DamageRect{float(x), height - float(bottom + h), float(x + w), height - float(bottom)};
  };
  for (const ImVec4& clip :
       {ImVec4{260.6f, 100.4f, 900.3f, 500.7f}, {0, 0, 1600, 950}, {319.9f, 64.5f, 400, 900}}) {
    const DamageRect whole = scissor(clip);
    const auto part = [&](float x0, float y0, float x1, float y1) {
      return scissor(clip_to_part(clip, {x0, y0, x1, y1}, height));
    };
    CHECK(part(0, 0, 320, 950).x1 == 320);
    CHECK(part(0, 0, 320, 950).x0 == whole.x0);
    CHECK(part(320, 0, 1600, 950).x0 == 320);
    CHECK(part(320, 0, 1600, 950).x1 == whole.x1);
    CHECK(part(0, 0, 1600, 336).y1 == 336);
    CHECK(part(0, 0, 1600, 336).y0 == whole.y0);
    CHECK(part(0, 336, 1600, 950).y0 == 336);
    CHECK(part(0, 336, 1600, 950).y1 == whole.y1);
  }
}

TEST_CASE("damage: two far changes are two small parts") {
  Frames f;
  auto body = [](float a, const char* text) {
    return [=](ImDrawList* d) {
      d->AddRectFilled({0, 0}, {800, 600}, IM_COL32(20, 20, 20, 255));
      d->AddRectFilled({0, 40}, {a, 44}, IM_COL32_WHITE);
      d->AddRectFilled({300, 200}, {500, 400}, IM_COL32(90, 90, 90, 255));
      d->AddText({10, 580}, IM_COL32_WHITE, text);
    };
  };
  f.draw(body(100, "1.20 s"));
  auto parts = f.draw(body(180, "1.21 s"));
  CHECK_FALSE(f.all);
  CHECK(inside(parts, 101, 41, 179, 43));
  CHECK(inside(parts, 38, 584, 44, 588));
  CHECK(covered(parts) < 800 * 600 / 10);
}

TEST_CASE("damage: what came, went or moved is covered, old place and new") {
  Frames f;
  auto at = [](float x, bool more) {
    return [=](ImDrawList* d) {
      d->AddRectFilled({0, 0}, {5, 5}, IM_COL32_WHITE);
      if (more) d->AddText({400, 300}, IM_COL32_WHITE, "a note");
      d->AddCircleFilled({x, 100}, 20, IM_COL32_WHITE);
    };
  };
  f.draw(at(100, false));
  auto parts = f.draw(at(300, false));
  CHECK(inside(parts, 90, 90, 110, 110));
  CHECK(inside(parts, 290, 90, 310, 110));
  parts = f.draw(at(300, true));
  CHECK(inside(parts, 402, 304, 430, 310));
  parts = f.draw(at(300, false));
  CHECK(inside(parts, 402, 304, 430, 310));
}

TEST_CASE("damage: a window that opens or closes is covered") {
  Frames f;
  auto with = [&](bool on) {
    return f.draw([on](ImDrawList*) {
      ImGui::SetNextWindowPos({50, 60});
      ImGui::SetNextWindowSize({100, 80});
      if (on) {
        ImGui::Begin("w");
        ImGui::End();
      }
    });
  };
  with(false);
  with(false);
  bool opened = false;
  for (int k = 0; k < 3; ++k) {  // ImGui shows a new window from its second frame on
    auto parts = with(true);
    opened |= f.all || inside(parts, 55, 65, 140, 130);
  }
  CHECK(opened);
  CHECK(with(true).empty());
  auto parts = with(false);
  CHECK((f.all || inside(parts, 55, 65, 140, 130)));
}
