// The font atlas: Inter for words, JetBrains Mono for code and for symbols that Inter does not have.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "core/paths.hpp"
#include "gui/theme.hpp"

namespace dojo::gui {
namespace {

Fonts current_fonts;

// First and last code point of each range.
// With arrows: those of the font below, made for code, are too small beside these letters.
constexpr ImWchar text_range[] = {0x20,   0x7E,   0xA0,   0xFF,   0x2010, 0x2026, 0x2030,
                                  0x2030, 0x2190, 0x2195, 0x2212, 0x2212, 0};
constexpr ImWchar symbols[] = {0x391,  0x3C9,  0x2032, 0x2033, 0x2070, 0x2099, 0x2190, 0x2195,
                               0x21D2, 0x21D4, 0x2200, 0x2200, 0x2208, 0x2208, 0x2211, 0x2211,
                               0x2215, 0x221E, 0x2248, 0x2248, 0x2260, 0x2265, 0x2295, 0x2297,
                               0x2308, 0x230B, 0x25A0, 0x25CF, 0x2713, 0x2717, 0};
constexpr ImWchar mono_range[] = {
    0x20,   0x7E,   0xA0,   0xFF,   0x391,  0x3C9,  0x2010, 0x2026, 0x2032, 0x2033, 0x2070, 0x2099, 0x2190,
    0x2195, 0x21D2, 0x21D4, 0x2200, 0x2200, 0x2208, 0x2208, 0x2211, 0x2212, 0x2215, 0x221E, 0x2248, 0x2248,
    0x2260, 0x2265, 0x2295, 0x2297, 0x2308, 0x230B, 0x2500, 0x259F, 0x25A0, 0x25CF, 0x2713, 0x2717, 0};

/// Where the fonts are: a package for any Linux brings them; elsewhere they are Debian's.
std::string font_folder(const char* debian) {
  const std::filesystem::path own = installed_root() / "fonts";
  std::error_code ec;
  return std::filesystem::is_directory(own, ec) ? own.string() + "/" : std::string(debian);
}

/// Adds fonts to an atlas. Roles of one face and size share a font.
class FontMaker {
 public:
  /// `scale`: pixels per unit of size. `least_em`: no em is smaller, in units of size.
  FontMaker(ImFontAtlas* atlas, float scale, float least_em)
      : atlas_(atlas), scale_(scale), least_em_(least_em) {}

  // ImGui sizes a font by its line, ascender to descender: in ems 1.21 for Inter, 1.32 for JetBrains Mono.
  ImFont* text(const char* face, float size) {
    size = std::max(size, least_em_ * 1.21f);
    ImFont*& f = made_[{face, size}];
    if (f) return f;
    f = add(inter_ + face, size, text_range, false);
    if (f) add(mono_, size * 0.95f, symbols, true);
    return f;
  }
  ImFont* mono(float size, const ImWchar* range) {
    size = std::max(size, least_em_ * 1.32f);
    ImFont*& f = made_[{"mono", size}];
    if (!f) f = add(mono_, size, range, false);
    return f;
  }

 private:
  ImFont* add(const std::string& file, float size, const ImWchar* range, bool merge) {
    std::error_code ec;
    if (!std::filesystem::exists(file, ec)) return nullptr;
    ImFontConfig c;
    c.OversampleH = scale_ >= 1.5f ? 1 : 2;
    c.OversampleV = 1;
    c.PixelSnapH = false;
    c.MergeMode = merge;
    return atlas_->AddFontFromFileTTF(file.c_str(), std::floor(size * scale_ + 0.5f), &c, range);
  }

  ImFontAtlas* atlas_;
  float scale_, least_em_;
  const std::string inter_ = font_folder("/usr/share/fonts/opentype/inter/");
  const std::string mono_ =
      font_folder("/usr/share/fonts/truetype/jetbrains-mono/") + "JetBrainsMono-Regular.ttf";
  std::map<std::pair<std::string, float>, ImFont*> made_;
};

constexpr const char* regular = "Inter-Regular.otf";
constexpr const char* semi_bold = "Inter-SemiBold.otf";

void add_window_fonts(FontMaker& maker, Fonts& f) {
  f.ui = maker.text(regular, 15);
  f.strong = maker.text(semi_bold, 15);
  f.title = maker.text(semi_bold, 20);
  f.small = maker.text(regular, 13);
  f.mono = maker.mono(14, mono_range);
  f.mono_small = maker.mono(12.5f, text_range);
}

void add_slide_fonts(FontMaker& maker, Fonts& f) {
  f.slide_title = maker.text(semi_bold, 26);
  f.slide = maker.text(regular, 21);
  f.slide_strong = maker.text(semi_bold, 21);
  f.slide_mono = maker.mono(16, mono_range);
}

void add_presenter_fonts(FontMaker maker, Fonts& f) {
  f.notes = maker.text(regular, 20);
  f.notes_strong = maker.text(semi_bold, 17);
  f.notes_title = maker.text(semi_bold, 22);
  f.notes_small = maker.text(regular, 14);
}

/// ImGui's own font where the files are missing, and the window's fonts for roles that were not asked for.
void fill_roles(ImFontAtlas* atlas, float scale, Fonts& f) {
  ImFont* fallback = f.ui;
  if (!fallback || !f.mono) {
    ImFontConfig c;
    c.SizePixels = std::floor(13 * scale + 0.5f);
    ImFont* own = atlas->AddFontDefault(&c);
    if (!fallback) fallback = own;
    if (!f.mono) f.mono = own;
    if (!f.mono_small) f.mono_small = own;
  }
  for (ImFont** p : {&f.ui, &f.strong, &f.title, &f.small, &f.mono_small})
    if (!*p) *p = fallback;
  const std::pair<ImFont**, ImFont*> roles[] = {
      {&f.slide_title, f.title},   {&f.slide, f.ui},          {&f.slide_strong, f.strong},
      {&f.slide_mono, f.mono},     {&f.aside, f.ui},          {&f.notes, f.ui},
      {&f.notes_strong, f.strong}, {&f.notes_title, f.title}, {&f.notes_small, f.small}};
  for (const auto& [role, other] : roles)
    if (!*role) *role = other;
}

}  // namespace

const Fonts& fonts() { return current_fonts; }
void use_fonts(const Fonts& f) { current_fonts = f; }

void build_fonts(float scale, bool slides, float own) {
  ImFontAtlas* atlas = ImGui::GetIO().Fonts;
  atlas->Clear();
  // No power-of-two height and no mouse cursors: a smaller texture, built sooner.
  atlas->Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight | ImFontAtlasFlags_NoMouseCursors;
  Fonts f;
  // A room reads from afar: no type of a slide is smaller than this.
  FontMaker room(atlas, scale, slides ? least_slide_em : 0);
  add_window_fonts(room, f);
  if (slides) {
    add_slide_fonts(room, f);
    f.aside = FontMaker(atlas, scale, 0).text(regular, 14);  // notes are not for the room
    add_presenter_fonts(FontMaker(atlas, own, 0), f);
  }
  fill_roles(atlas, slides ? own : scale, f);
  atlas->Build();
  current_fonts = f;
  ImGui::GetIO().FontDefault = f.ui;
}

}  // namespace dojo::gui
