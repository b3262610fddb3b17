#pragma once
// What the window shows at the moment, and what it asks. Nothing here is kept between starts.
#include <optional>
#include <string>

namespace dojo::gui {

/// A card over the window. One at a time is open: opening another closes it.
enum class Overlay {
  palette,
  help,
  predict,
  confirm_reset,
  conflict,   ///< two versions of the open file: which one stays is being asked
  open_file,  ///< asks for the path of a program or a report
  glossary,
  losing,  ///< the window was to close, and text would be lost: what to do is being asked
};

struct UiState {
  enum class Tab { brief, source, reference, compare, instructor } tab = Tab::brief;
  bool focus_tab = false;   ///< the tab was asked for by a command
  int go_line = 0;          ///< scroll the source to this line and mark it
  int tour = -1;            ///< the callout that is shown; -1: none
  std::string lab_page;     ///< the lab whose own page is in the middle; empty: the step's tabs
  bool focus_hint = false;  ///< a hint was just shown: scroll to it
  bool card = false;        ///< a result card is to be saved after this frame
  bool menu = false;
  bool plots_only = false;
  bool lanes_over_time = false;  ///< of the two plots of lanes, where there is room for one
  bool pattern = false;          ///< the maps show a pattern to play with, not the run's own accesses
  bool motion = false;           ///< slow motion has the window
  bool ptx_names = false;        ///< slow motion calls registers as PTX does, not by the source's variables
  bool lecture = false;
  bool submissions = false;  ///< the table of submissions has the window
  bool quit = false;
  bool fit_plots = false;
  std::string focus;  ///< a panel that should take the keyboard: "rail", "source", "plots", "verdict"
  std::optional<Overlay> overlay;

  bool shows(Overlay o) const { return overlay == o; }
  void open(Overlay o) { overlay = o; }
  void close(Overlay o) {
    if (shows(o)) overlay.reset();
  }
  void toggle(Overlay o) { shows(o) ? overlay.reset() : open(o); }
};

}  // namespace dojo::gui
