#include "core/error.hpp"
#include "gui/model/session.hpp"

namespace dojo::gui {

bool Session::open_deck(const std::string& file) {
  try {
    std::error_code ec;
    fs::path own = lab() ? catalog_.root / "assets" / "lectures" / (lab()->name + ".toml") : fs::path();
    if (!file.empty()) talk.deck = load_deck(file, &catalog_);
    else if (!own.empty() && fs::exists(own, ec)) talk.deck = load_deck(own, &catalog_);
    else if (lab()) talk.deck = make_deck(*lab());
    else return false;
  } catch (const Error& e) {
    toast(e.what(), Tone::bad);
    return false;
  }
  talk.at = 0;
  talk.revealed = false;
  // A deck begins where the lecturer is, when it has a slide of the open step.
  if (file.empty() && step_)
    for (size_t i = 0; i < talk.deck.slides.size(); ++i) {
      if (talk.deck.slides[i].step.empty()) continue;
      try {
        if (&catalog_.find(talk.deck.slides[i].step) == step_ && step_ != &catalog_.lab_of(*step_).steps.front()) {
          talk.at = int(i);
          break;
        }
      } catch (const std::exception&) {
      }
    }
  ui.lecture = true;
  show_slide();
  return true;
}

void Session::close_deck() { ui.lecture = false; }

fs::path Session::export_deck() {
  if (!lab()) return {};
  Deck deck;
  try {
    std::error_code ec;
    fs::path own = catalog_.root / "assets" / "lectures" / (lab()->name + ".toml");
    deck = ui.lecture ? talk.deck : fs::exists(own, ec) ? load_deck(own, &catalog_) : make_deck(*lab());
  } catch (const Error& e) {
    toast(e.what(), Tone::bad);
    return {};
  }
  fs::path file = (places_.data.empty() ? fs::path(".") : places_.data / "decks") / (lab()->name + ".html");
  std::string problem = write_atomically(file, deck_html(deck, catalog_, {}));
  toast(problem.empty() ? "The deck is in " + file.string() : problem, problem.empty() ? Tone::good : Tone::bad);
  return problem.empty() ? file : fs::path();
}

void Session::show_slide() {
  auto* s = talk.slide();
  if (!s || s->step.empty()) return;
  if (!open(s->step)) return;
  auto* v = view();
  if (s->show == "motion") {
    motion.playing = false;
    const bool there = motion.trace() && motion_step == v->id && motion_reference == s->reference && !motion_stale();
    if (there || running_) return;
    motion_ask = {};
    motion_reference = s->reference;
    quiet_ = true;
    for_finding_ = false;
    start_recording();
    return;
  }
  bool plot = !s->show.empty() && s->show != "source" && s->show != "reference";
  if (plot && v && !v->has_report && !running_ && v->error.empty()) start_request(size());
}

}  // namespace dojo::gui
