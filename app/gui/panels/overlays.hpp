#pragma once
// What is drawn over the window: cards (palette, keys, prediction, reset, open, conflict, text that would be
// lost, glossary), tour, toasts.
#include <functional>
#include <optional>
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
  void draw_card(Overlay,
                 bool fresh);  ///< fresh: it was not open in the frame before, so it takes the keyboard
  void palette(bool fresh);
  std::vector<PaletteItem> palette_items();
  const PaletteItem* palette_rows(const std::vector<PaletteItem>&);
  void help_sheet();
  void prediction_overlay(bool fresh);
  void reset_overlay(bool fresh);
  void open_overlay(bool fresh);  ///< asks for the path of a program
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
  std::optional<Overlay> before_;  ///< drawn in the frame before, and still open at its end
};

}  // namespace dojo::gui
