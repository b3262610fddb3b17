#pragma once
// Colours, fonts and measures. Everything is drawn from these, so that a theme or a scale changes in one
// place.
#include <imgui.h>

#include <string>

#include "gui/model/plots/plots.hpp"
#include "gui/model/text/highlight.hpp"
#include "gui/model/verdict.hpp"

namespace dojo::gui {

struct Theme {
  bool dark = true;
  ImU32 ground, panel, raised, hover, press, border, text, muted, faint, accent, on_accent, good, bad, warn,
      select, mark;
  ImU32 series[5];  ///< by Series; told apart by colour-blind people too (Okabe and Ito's set)
  ImU32 data[4];    ///< kernels, lanes, sectors and runs: never the colours of You and Reference
  ImU32 code[11];   ///< by Token
  ImU32 of(Series s) const { return series[int(s)]; }
  ImU32 of(Tone t) const {
    return t == Tone::good ? good : t == Tone::bad ? bad : t == Tone::warn ? warn : muted;
  }
  /// Ground of a line in the gutter, heat 0..1.
  ImU32 heat(double h) const;
};

struct Fonts {
  ImFont *ui = nullptr, *strong = nullptr, *title = nullptr, *small = nullptr, *mono = nullptr,
         *mono_small = nullptr;
  /// Of slides: their titles, and the body where a slide has words alone. Without `slides` the ones above.
  ImFont *slide_title = nullptr, *slide = nullptr, *slide_strong = nullptr, *slide_mono = nullptr;
  /// Of a slide's notes on the slide itself: the lecturer reads them from nearby.
  ImFont* aside = nullptr;
  /// Of the presenter's window, at the scale of the lecturer's own display.
  ImFont *notes = nullptr, *notes_strong = nullptr, *notes_title = nullptr, *notes_small = nullptr;
};

const Theme& theme();
const Fonts& fonts();
void use_fonts(const Fonts&);
/// Pixels for a length at scale 1.
float px(float);
float ui_scale();

/// Sets colours and ImGui's style for a theme ("dark", "light", "contrast") at a scale.
void set_theme(const std::string& name, float scale);
/// The smallest type on a slide, as its em in pixels at scale 1. `lecture_scale` makes 24 of them at 1280 x
/// 720.
constexpr float least_slide_em = 16;
/// Builds the font atlas (Debian's Inter and JetBrains Mono; ImGui's own font where they are missing). The
/// renderer must upload the texture anew afterwards. `slides`: with the larger fonts of lectures, and those
/// of the presenter's window at the scale `own`.
void build_fonts(float scale, bool slides = false, float own = 1);
/// A text is drawn: characters of it that the fonts do not have (names in Cyrillic, in Chinese) are in the
/// next atlas, as far as a font that is installed here has them.
void want_characters(const char* begin, const char* end);
void want_characters(const std::string&);
/// Whether a font of the atlas has a character; in its place is an empty box where it does not.
bool has_glyph(const ImFont*, unsigned code_point);
/// Whether there are such since the atlas was built.
bool characters_due();

/// A colour with another opacity (0..1, of its own).
ImU32 fade(ImU32, float alpha);
/// Black or white, whichever reads better on this colour: a contrast of 4.5 at least.
ImU32 text_on(ImU32 ground);
/// Between two colours, 0..1.
ImU32 mix(ImU32 a, ImU32 b, float t);

}  // namespace dojo::gui
