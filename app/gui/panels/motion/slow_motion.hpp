#pragma once
// Slow motion: one block, line by line or instruction by instruction, with the lanes, registers, banks and
// sectors of each warp in columns.
#include "gui/panels/window_state.hpp"

namespace dojo::gui {

class SlowMotionPanel {
 public:
  explicit SlowMotionPanel(WindowState& w) : s_(w.s), window_(w) {}
  void draw(ImVec2 size, bool lecture);

  /// Draws one access over banks or sectors; returns the text for what the mouse is on. The switches are the
  /// legend's: first and excess wavefronts; lanes and sectors. In slow_motion_memory.cpp.
  std::string draw_banks(const StepTrace::Access&, ImVec2 from, ImVec2 size, bool first = true,
                         bool excess = true);
  std::string draw_sectors(const StepTrace::Access&, ImVec2 from, ImVec2 size, bool lanes = true,
                           bool sectors = true);
  /// What an access cost, in words. `bad`: more wavefronts or sectors than necessary.
  struct AccessWords {
    std::string title, note;
    bool bad = false;
    std::string brief;  // title and note together, shorter, for a plot's title
  };
  AccessWords access_words(const StepTrace::Access&) const;

 private:
  void draw_head();
  void draw_transport(float width);
  void draw_controls();
  void draw_choices();
  void draw_stops();
  void draw_position(float right);
  void draw_ribbon(ImVec2 from, ImVec2 size);
  void draw_source(ImVec2 size);
  void draw_ptx(ImVec2 size);
  void draw_slide(ImVec2 size);  // motion_slide.cpp
  // slow_motion_views.cpp
  float lane_label() const;
  float lane_width(float width) const;
  std::string register_name(const StepTrace::Register&) const;  ///< of its variable, else its PTX name
  void draw_warps(ImVec2 size, bool titled = true);
  void draw_registers(ImVec2 size);
  std::string draw_lanes_of(const SlowMotion::Register&, ImVec2 at, float lane_width, float row);
  // slow_motion_memory.cpp
  void draw_memory(ImVec2 size);
  /// Draws one access in the lanes' columns; null: the banks alone. Returns the text for what the mouse is
  /// on.
  std::string draw_touched(const StepTrace::Access*, ImVec2 from, ImVec2 size);

  Session& s_;
  WindowState& window_;
  CodeView code_;
  int access_ = -1;  // which of the stop's accesses is drawn; -1: the costliest
  size_t access_at_ = 0;
  float names_width_ = 0;  // of the longest name of a register
  char block_[40] = "0";
  uint64_t block_of_ = 0;  // the recording that it was written for
  std::vector<uint8_t> ribbon_;
  std::pair<uint64_t, SlowMotion::Order> ribbon_of_{};
};

}  // namespace dojo::gui
