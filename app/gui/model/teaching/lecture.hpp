#pragma once
// A lecture deck: slides that each name a step, a plot or source to show, and a few words. One TOML a lab, in
// assets/lectures/.
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/labs/lab.hpp"
#include "core/report.hpp"

namespace dojo::gui {

struct Slide {
  std::string title;
  std::string text;        ///< markdown, large
  std::string step;        ///< "reduce/5"; empty: the one before it
  std::string show;        ///< a plot's key, "source", "reference", "motion", or empty for text alone
  int line = 0;            ///< of the source, to scroll to; of a map, whose accesses it opens with
  std::string notes;       ///< for the presenter
  bool hide = false;       ///< what is shown stays covered until the space key: the room votes first
  std::string question;    ///< on the cover
  bool reference = false;  ///< only the reference is shown, also in slow motion; the student's file isn't run
  std::string against;     ///< another step: its reference stands beside this one in bars
  std::string stop;  ///< where slow motion opens: "conflict", "divergence", "waste", "barrier", "finding"
};

struct Deck {
  std::string title, lab, recording;
  std::vector<Slide> slides;
  std::map<std::string, std::string> left_out;  ///< steps without a slide (by id), and why
  std::filesystem::path file;
};

/// Throws Error with file, line and what is wrong: no slides, an unknown key or plot, a step that isn't
/// there.
Deck load_deck(const std::filesystem::path&, const Catalog*);
/// A deck for a lab that has none: its brief, then each step with its picture, the result covered.
Deck make_deck(const Lab&);

struct Lecture {
  Deck deck;
  int at = 0;
  bool revealed = false;
  bool notes = false;      ///< at the foot of the slide (the second window has them always)
  bool presenter = false;  ///< the second window is open
  bool live = false;       ///< runs, though the deck names a recording
  double began = 0;        ///< when the lecture began, as Session::now() counts
  const Slide* slide() const {
    return at >= 0 && at < int(deck.slides.size()) ? &deck.slides[size_t(at)] : nullptr;
  }
  bool covered() const { return slide() && slide()->hide && !revealed; }
  /// Space: uncovers, then goes on. False at the end.
  bool advance();
  bool next();
  bool back();
};

/// How much larger than the display's `own` scale slides are drawn: 1.5 in all on a screen of 1280 x 720, and
/// in proportion on others. Less than 1 on a small screen with a large scale.
float lecture_scale(int width, int height, float own);

/// Whether a slide shows a plot or slow motion, which need a run.
bool needs_run(const Slide&);

/// The deck as one HTML file that needs nothing else: texts, sources, and pictures, given by the caller as
/// SVG, one a slide (may be empty). `report_of` gives the report that a step's live numbers are read from; it
/// may be empty and may answer null.
std::string deck_html(const Deck&, const Catalog&, const std::vector<std::string>& pictures,
                      const std::function<const Report*(const std::string& step)>& report_of = {});

}  // namespace dojo::gui
