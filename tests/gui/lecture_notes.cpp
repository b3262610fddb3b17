// The presenter's notes: a size of type of their own, whole where they fit, scrolled where they don't.
#include <doctest/doctest.h>

#include <imgui_internal.h>

#include <algorithm>

#include "core/paths.hpp"
#include "gui/look.hpp"
#include "gui/model/teaching/presenter.hpp"
#include "gui/panels/teaching/presenter.hpp"
#include "lecture_room.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::Room;

namespace {
ImGuiWindow* part(const std::string& name) {
  for (ImGuiWindow* w : ImGui::GetCurrentContext()->Windows)
    if (w->Active && std::string(w->Name).find("/" + name) != std::string::npos) return w;
  return nullptr;
}

/// The presenter's window beside slides in the type of a hall's screen.
struct Desk {
  Room room;
  ImGuiContext *main = nullptr, *own = nullptr;
  float scale;
  explicit Desk(const std::string& deck = test::deck_text, float own_scale = 1, float w = 820, float h = 560)
      : room(deck), scale(own_scale) {
    build_fonts(lecture_scale(3840, 2160, 1), true, scale);
    unsigned char* pixels;
    int tw, th;
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &tw, &th);
    main = ImGui::GetCurrentContext();
    own = ImGui::CreateContext(ImGui::GetIO().Fonts);
    ImGui::SetCurrentContext(own);
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = {w * scale, h * scale};
  }
  ~Desk() {
    ImGui::SetCurrentContext(main);
    ImGui::DestroyContext(own);
  }
  void draw(int frames) {
    const Look slides = look_now();
    set_look(notes_look(scale));
    for (int k = 0; k < frames; ++k) {
      ImGui::GetIO().DeltaTime = 1.0f / 60;
      ImGui::NewFrame();
      draw_presenter(*room.s);
      ImGui::Render();
    }
    set_look(slides);
  }
};

std::vector<fs::path> shipped_decks() {
  std::vector<fs::path> decks;
  for (auto& f : fs::directory_iterator(find_root() / "assets/lectures"))
    if (f.path().extension() == ".toml") decks.push_back(f.path());
  std::sort(decks.begin(), decks.end());
  return decks;
}
}  // namespace

TEST_CASE("presenter: the notes of every deck stand whole in their window, however large the slides are") {
  for (float scale : {1.0f, 2.0f}) {
    Desk b(test::deck_text, scale);
    CHECK(fonts().notes->FontSize == 20 * scale);
    CHECK(fonts().ui->FontSize > fonts().notes->FontSize);
    size_t slides = 0;
    for (auto& deck : shipped_decks()) {
      auto& talk = b.room.s->lectern.talk;
      talk.deck = load_deck(deck, nullptr);
      b.room.s->ui.lecture = true;
      for (talk.at = 0; talk.at < int(talk.deck.slides.size()); ++talk.at, ++slides) {
        INFO(deck.stem().string() << " " << talk.at + 1);
        b.draw(2);
        ImGuiWindow* w = part("words of");
        REQUIRE(w);
        CHECK(w->ScrollMax.y <= 0);
        CHECK(w->ScrollMax.x <= 0);
      }
    }
    CHECK(slides > 150);
  }
}

TEST_CASE("presenter: long notes scroll under the wheel, and the next slide begins at its top") {
  std::string words;
  for (int k = 0; k < 300; ++k) words += "Say this slowly and look up. ";
  Desk b("[[slide]]\ntitle = \"One\"\nnotes = \"" + words + "\"\n[[slide]]\ntitle = \"Two\"\nnotes = \"" +
         words + "\"\n");
  ImGui::SetCurrentContext(b.main);
  REQUIRE(b.room.s->lectern.open(b.room.deck.string()));
  ImGui::SetCurrentContext(b.own);
  b.draw(3);
  ImGuiWindow* w = part("words of");
  REQUIRE(w);
  CHECK(w->ScrollMax.y > 100);
  CHECK(w->ScrollMax.x <= 0);
  ImGuiIO& io = ImGui::GetIO();
  io.MousePos = {w->Pos.x + 40, w->Pos.y + 40};
  b.draw(2);
  io.MouseWheel = -3;
  b.draw(2);
  CHECK(w->Scroll.y > 20);
  // What comes next is cut between lines, inside its part.
  for (const ImDrawVert& v : w->ParentWindow->DrawList->VtxBuffer) CHECK(v.pos.y <= io.DisplaySize.y);
  b.room.s->lectern.talk.next();
  b.draw(3);
  w = part("words of");
  REQUIRE(w);
  CHECK(w->Scroll.y == 0);
}

TEST_CASE("lecture: notes on a slide are as tall as they need, smaller than the slide's type, and whole") {
  for (auto [width, height] : {std::pair{1280.f, 720.f}, {1024.f, 768.f}, {1920.f, 1080.f}}) {
    Room b(test::deck_text, width, height);
    build_fonts(lecture_scale(int(width), int(height), 1), true);
    unsigned char* pixels;
    int tw, th;
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &tw, &th);
    set_theme("contrast", lecture_scale(int(width), int(height), 1));
    CHECK(fonts().aside->FontSize < fonts().ui->FontSize);
    b.s->lectern.talk.notes = true;
    for (auto& deck : shipped_decks()) {
      b.s->ui.lecture = true;
      b.s->lectern.talk.deck = load_deck(deck, nullptr);
      for (auto& slide : b.s->lectern.talk.deck.slides) slide.show.clear(), slide.step.clear();
      for (int& at = b.s->lectern.talk.at = 0; at < int(b.s->lectern.talk.deck.slides.size()); ++at) {
        INFO(deck.stem().string() << " " << at + 1 << " at " << width);
        b.frames(2);
        ImGuiWindow* w = part("notes");
        REQUIRE(w);
        CHECK(w->ScrollMax.y <= 0);
        CHECK(w->Size.y <= height * 0.46f);
      }
    }
  }
}
