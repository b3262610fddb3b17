// The font atlas: Inter for words, JetBrains Mono for code and for symbols that Inter does not have.
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <vector>

#include "core/files/whole_file.hpp"
#include "core/paths.hpp"
#include "gui/model/text/source_pages.hpp"
#include "gui/other_scripts.hpp"
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

/// Below it, text_range has all.
constexpr ImWchar first_further = 0x100;
constexpr size_t most_further = 2000;

bool in_range(const ImWchar* range, ImWchar c) {
  for (; *range; range += 2)
    if (c >= range[0] && c <= range[1]) return true;
  return false;
}

/// Characters of names and texts that the ranges above do not have.
struct Further {
  std::set<ImWchar> characters;
  bool due = false;  ///< some came after the last atlas was built

  std::vector<ImWchar> range() const {
    std::vector<ImWchar> out;
    for (ImWchar c : characters) out.insert(out.end(), {c, c});
    if (!out.empty()) out.push_back(0);
    return out;
  }
};
Further& further() {
  static Further f;
  return f;
}

/// Shown in the place of a character that no font has: an empty box.
constexpr ImWchar no_glyph = 0x25A1;
constexpr ImWchar mono_small_range[] = {0x20,   0x7E,   0xA0,   0xFF,   0x2010,   0x2026,   0x2030, 0x2030,
                                        0x2190, 0x2195, 0x2212, 0x2212, no_glyph, no_glyph, 0};

/// Fonts of other scripts that this machine has, in the order in which a character is looked for.
struct ScriptFonts {
  std::vector<FontFile> files = usual_script_fonts();
  std::set<ImWchar> asked;  ///< fontconfig was asked for a font of these
};
ScriptFonts& script_fonts() {
  static ScriptFonts f;
  return f;
}

/// A font file's bytes, read once: several sizes share them. Empty: there is no such file.
std::string& font_bytes(const std::string& file) {
  static std::map<std::string, std::string> read;
  const auto [it, first] = read.try_emplace(file);
  if (first) it->second = read_file(file).value_or("");
  return it->second;
}

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
  /// `further`: a range of characters besides, or null.
  FontMaker(ImFontAtlas* atlas, float scale, float least_em, const ImWchar* further)
      : atlas_(atlas), scale_(scale), least_em_(least_em), further_(further) {
    for (const ImWchar* at = further; at && *at; at += 2)
      (is_wide(*at) ? wide_ : narrow_).insert((is_wide(*at) ? wide_ : narrow_).end(), {at[0], at[1]});
    for (auto* range : {&wide_, &narrow_})
      if (!range->empty()) range->push_back(0);
  }

  FontMaker(const FontMaker&) = delete;

  /// JetBrains Mono's letters are 0.6 em wide; in heights of its line.
  static constexpr float mono_column = 0.6f / 1.32f;

  // ImGui sizes a font by its line, ascender to descender: in ems 1.21 for Inter, 1.32 for JetBrains Mono.
  ImFont* text(const char* face, float size) {
    size = std::max(size, least_em_ * 1.21f);
    ImFont*& f = made_[{face, size}];
    if (f) return f;
    f = add(inter_ + face, size, text_range, false);
    if (f) add(mono_, size * 0.95f, symbols, true);
    if (f && further_) {
      add(inter_ + face, size, further_, true);
      for (auto& file : script_fonts().files) add_shared(file, size, further_, 0);
    }
    if (f) f->FallbackChar = no_glyph;
    return f;
  }
  ImFont* mono(float size, const ImWchar* range) {
    size = std::max(size, least_em_ * 1.32f);
    ImFont*& f = made_[{"mono", size}];
    if (f) return f;
    f = add(mono_, size, range, false);
    if (f && further_) {
      add(mono_, size, further_, true);
      // A wide letter has two columns exactly, any other has one.
      for (auto& file : script_fonts().files) {
        if (!narrow_.empty()) add_shared(file, size, narrow_.data(), mono_column * pixels(size));
        if (!wide_.empty()) add_shared(file, size, wide_.data(), 2 * mono_column * pixels(size));
      }
    }
    if (f) f->FallbackChar = no_glyph;
    return f;
  }

 private:
  ImFont* add(const std::string& file, float size, const ImWchar* range, bool merge) {
    std::error_code ec;
    if (!std::filesystem::exists(file, ec)) return nullptr;
    const ImFontConfig c = config(merge);
    return atlas_->AddFontFromFileTTF(file.c_str(), pixels(size), &c, range);
  }
  /// `advance`: of each letter, in pixels; 0: the font's own.
  void add_shared(const FontFile& file, float size, const ImWchar* range, float advance) {
    std::string& bytes = font_bytes(file.path);
    if (!has_outlines(bytes, file.index)) return;
    ImFontConfig c = config(true);
    c.FontDataOwnedByAtlas = false;
    c.FontNo = file.index;
    if (advance > 0) c.GlyphMinAdvanceX = c.GlyphMaxAdvanceX = advance;
    atlas_->AddFontFromMemoryTTF(bytes.data(), int(bytes.size()), pixels(size), &c, range);
  }
  float pixels(float size) const { return std::floor(size * scale_ + 0.5f); }
  ImFontConfig config(bool merge) const {
    ImFontConfig c;
    c.OversampleH = scale_ >= 1.5f ? 1 : 2;
    c.OversampleV = 1;
    c.PixelSnapH = false;
    c.MergeMode = merge;
    return c;
  }

  ImFontAtlas* atlas_;
  float scale_, least_em_;
  const ImWchar* further_;
  std::vector<ImWchar> wide_, narrow_;  ///< ranges of `further`; the atlas reads them when it is built
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
  f.mono_small = maker.mono(12.5f, mono_small_range);
}

void add_slide_fonts(FontMaker& maker, Fonts& f) {
  f.slide_title = maker.text(semi_bold, 26);
  f.slide = maker.text(regular, 21);
  f.slide_strong = maker.text(semi_bold, 21);
  f.slide_mono = maker.mono(16, mono_range);
}

void add_presenter_fonts(FontMaker& maker, Fonts& f) {
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

void want_characters(const char* begin, const char* end) {
  Further& f = further();
  for (const char* at = begin; at < end;) {
    if (static_cast<unsigned char>(*at) < 0xC4) {  // below U+0100
      ++at;
      continue;
    }
    unsigned code = 0;
    at += std::max(1, ImTextCharFromUtf8(&code, at, end));
    const auto c = ImWchar(code);
    if (code < first_further || code >= 0xD800 || in_range(text_range, c) || in_range(symbols, c)) continue;
    if (f.characters.size() < most_further && f.characters.insert(c).second) f.due = true;
  }
}
void want_characters(const std::string& s) { want_characters(s.data(), s.data() + s.size()); }
bool has_glyph(const ImFont* f, unsigned c) {
  return c <= IM_UNICODE_CODEPOINT_MAX && f->FindGlyphNoFallback(ImWchar(c)) != nullptr;
}
bool characters_due() { return further().due; }

namespace {
void build_once(float scale, bool slides, float own) {
  ImFontAtlas* atlas = ImGui::GetIO().Fonts;
  atlas->Clear();
  // No power-of-two height and no mouse cursors: a smaller texture, built sooner.
  atlas->Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight | ImFontAtlasFlags_NoMouseCursors;
  Fonts f;
  const std::vector<ImWchar> range = further().range();  // the atlas reads it when it is built
  const ImWchar* more = range.empty() ? nullptr : range.data();
  further().due = false;
  // A room reads from afar: no type of a slide is smaller than this. Notes are not for the room.
  FontMaker room(atlas, scale, slides ? least_slide_em : 0, more), near(atlas, scale, 0, more),
      presenter(atlas, own, 0, more);
  add_window_fonts(room, f);
  if (slides) {
    add_slide_fonts(room, f);
    f.aside = near.text(regular, 14);
    add_presenter_fonts(presenter, f);
  }
  fill_roles(atlas, slides ? own : scale, f);
  atlas->Build();
  current_fonts = f;
  ImGui::GetIO().FontDefault = f.ui;
}

/// Looks for an installed font that has characters that the atlas lacks. False: there is none, or there are
/// no such characters.
bool found_script_font() {
  ScriptFonts& fonts = script_fonts();
  std::vector<unsigned> missing;
  for (ImWchar c : further().characters)
    if (!current_fonts.ui->FindGlyphNoFallback(c) && fonts.asked.insert(c).second) missing.push_back(c);
  if (missing.empty()) return false;
  FontFile font = installed_font_for(missing);
  if (font.path.empty() || std::find(fonts.files.begin(), fonts.files.end(), font) != fonts.files.end())
    return false;
  fonts.files.push_back(std::move(font));
  return true;
}
}  // namespace

void build_fonts(float scale, bool slides, float own) {
  build_once(scale, slides, own);
  if (found_script_font()) build_once(scale, slides, own);
}

}  // namespace dojo::gui
