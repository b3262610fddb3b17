#pragma once
// What is drawn over the window: cards (palette, keys, prediction, reset, open, conflict, text that would be
// lost, glossary), tour, toasts.
#include <functional>
#include <string>
#include <vector>

#include "gui/panels/conflict.hpp"
#include "gui/panels/glossary_view.hpp"
#include "gui/panels/losing.hpp"
#include "gui/panels/tour.hpp"
#include "gui/panels/window_state.hpp"

namespace dojo::gui {

class BriefPanel;

class Overlays {
 public:
  Overlays(WindowState& w, BriefPanel& brief) : s_(w.s), window_(w), brief_(brief) {}
  void draw();

 private:
  struct PaletteItem {
    std::string title, note;
    const Command* command;
    std::function<void()> act;  ///< for entries that are not commands
    int score;
    bool usable;
  };
  void palette();
  std::vector<PaletteItem> palette_items();
  const PaletteItem* palette_rows(const std::vector<PaletteItem>&);
  void help_sheet();
  void prediction_overlay();
  void reset_overlay();
  void open_overlay();  ///< asks for the path of a program
  void toasts();

  Session& s_;
  WindowState& window_;
  BriefPanel& brief_;
  ConflictCard conflict_;
  GlossaryPage glossary_;
  LosingCard losing_;
  Tour tour_;
  char palette_text_[128] = {}, open_path_[512] = {};
  int palette_at_ = 0;
  // Was the card open in the frame before? A card that just opened takes the keyboard.
  bool palette_was_ = false, predict_was_ = false, help_was_ = false, reset_was_ = false, open_was_ = false;
};

}  // namespace dojo::gui
