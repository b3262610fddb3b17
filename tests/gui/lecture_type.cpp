// Lecture mode from the last row: how large each letter of a slide is drawn, on the decks that are shipped.
#include <doctest/doctest.h>

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "core/paths.hpp"
#include "fixtures.hpp"
#include "gui/model/teaching/lecture.hpp"
#include "gui/panels/ui.hpp"
#include "gui/theme.hpp"

using namespace dojo;
using namespace dojo::gui;

namespace {
/// A lecture room: the window's frame at a size, without a window, on the real labs with a stand-in for runs.
struct Hall {
  std::unique_ptr<Session> s;
  std::unique_ptr<Ui> ui;
  double now = 0;
  Hall(int w, int h) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {float(w), float(h)};
    for (int k = 0; k < ImGuiKey_COUNT; ++k) io.KeyMap[k] = 400 + k;
    build_fonts(lecture_scale(w, h, 1), true);
    unsigned char* pixels;
    int tw, th;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &tw, &th);
    set_theme("contrast", lecture_scale(w, h, 1));
    s = std::make_unique<Session>(load_catalog(find_root()), std::make_unique<test::FakeRunner>(), Places{},
                                  test::make_devices());
    s->set_instructor(true);
    ui = std::make_unique<Ui>(*s);
  }
  ~Hall() {
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
  /// Until what the slide shows has run.
  void settle() {
    frame(), frame();
    for (int k = 0; k < 200 && s->running(); ++k) frame();
    frame(), frame();
  }
};

/// A font's line in ems: its ascender less its descender (table hhea) over its units per em (head).
float line_in_ems(const ImFont& f) {
  const auto* d = static_cast<const unsigned char*>(f.ConfigData->FontData);
  auto u16 = [&](size_t at) { return int(d[at]) << 8 | int(d[at + 1]); };
  auto table = [&](const char* name) {
    for (size_t k = 0; k < size_t(u16(4)); ++k)
      if (std::memcmp(d + 12 + 16 * k, name, 4) == 0)
        return size_t(u16(12 + 16 * k + 8)) << 16 | size_t(u16(12 + 16 * k + 10));
    return size_t(0);
  };
  const size_t head = table("head"), hhea = table("hhea");
  REQUIRE(head);
  REQUIRE(hhea);
  return float(int16_t(u16(hhea + 4)) - int16_t(u16(hhea + 6))) / float(u16(head + 18));
}

/// Ems of the letters drawn in the last frame, each with some of its letters. A letter's quad has its glyph's
/// place in the atlas as texture coordinates; letters that a clip rectangle cut are left out.
std::map<float, std::string> drawn_ems() {
  struct Of {
    const ImFontGlyph* glyph;
    float em;
  };
  std::map<std::pair<float, float>, Of> glyphs;
  for (ImFont* f : ImGui::GetIO().Fonts->Fonts)
    for (auto& g : f->Glyphs)  // beyond Latin a symbol comes from another face, set to the height of this one
      if (g.Visible && g.Codepoint < 0x180) glyphs[{g.U0, g.V0}] = {&g, f->FontSize / line_in_ems(*f)};
  std::map<float, std::string> out;
  const ImDrawData* d = ImGui::GetDrawData();
  for (int k = 0; k < d->CmdListsCount; ++k) {
    const auto& v = d->CmdLists[k]->VtxBuffer;
    for (int i = 0; i + 3 < v.Size; ++i) {
      const auto it = glyphs.find({v[i].uv.x, v[i].uv.y});
      if (it == glyphs.end()) continue;
      const ImFontGlyph& g = *it->second.glyph;
      if (v[i + 2].uv.x != g.U1 || v[i + 2].uv.y != g.V1) continue;
      const float em = it->second.em * (v[i + 2].pos.y - v[i].pos.y) / (g.Y1 - g.Y0);
      std::string& letters = out[std::round(em * 4) / 4];
      if (g.Codepoint < 128 && letters.size() < 60) letters += char(g.Codepoint);
      i += 3;
    }
  }
  return out;
}
}  // namespace

TEST_CASE(
    "lecture: no letter of any deck is smaller than 24 pixels at 1280 x 720, and no slide's words are cut") {
  Hall b(1280, 720);
  auto& s = *b.s;
  std::set<std::string> shown;
  size_t slides = 0;
  std::vector<fs::path> decks;
  for (auto& f : fs::directory_iterator(find_root() / "assets/lectures"))
    if (f.path().extension() == ".toml") decks.push_back(f.path());
  std::sort(decks.begin(), decks.end());
  for (auto& deck : decks) {
    REQUIRE(s.lectern.open(deck.string()));
    for (size_t k = 0; k < s.lectern.talk.deck.slides.size(); ++k, ++slides) {
      const std::string at = deck.stem().string() + " " + std::to_string(k + 1);
      INFO(at);
      for (int covered = 0; covered < 2; ++covered) {
        b.settle();
        const auto type = drawn_ems();
        REQUIRE_FALSE(type.empty());
        INFO("letters: " << type.begin()->second);
        CHECK(type.begin()->first >= 24);
        // Words and tables stand whole; a source scrolls by its arrows.
        for (ImGuiWindow* w : ImGui::GetCurrentContext()->Windows)
          if (const std::string name = w->Name;
              w->Active && name.starts_with("main/") && name.find("/slide show") == std::string::npos) {
            INFO("part: " << name);
            CHECK(w->ScrollMax.x <= 1);
            CHECK(w->ScrollMax.y <= 0);
          }
        for (auto& [key, offer] : b.ui->plots.offers)
          for (auto& line : offer.title_lines) CHECK_MESSAGE(!line.ends_with("…"), key << ": " << line);
        if (!s.lectern.talk.covered()) break;
        s.lectern.talk.revealed = true;
      }
      shown.insert(s.lectern.talk.slide()->show);
      s.commands.run("lecture.next");
    }
    s.lectern.close();
  }
  CHECK(slides > 150);
  // The sweep saw sources, slow motion and most plots.
  CHECK(shown.count("source"));
  CHECK(shown.count("motion"));
  CHECK(shown.count("timeline"));
  CHECK(shown.size() >= 12);
}

TEST_CASE("lecture: type grows with the screen, whatever the display's own scale is") {
  for (auto [w, h] : {std::pair{1280, 720}, {1024, 768}, {1920, 1080}, {3840, 2160}})
    for (float own : {1.0f, 1.25f, 1.5f, 2.0f}) {
      CAPTURE(w);
      CAPTURE(own);
      const float type = least_slide_em * own * lecture_scale(w, h, own);
      CHECK(type >= 24 * std::min(float(w) / 1280, float(h) / 720) - 0.01f);
    }
}
