#pragma once
// One frame of the whole window, drawn from the session. Needs an ImGui context only: tests draw it without a
// window.
#include <imgui.h>

#include <functional>
#include <map>
#include <set>
#include <string>

#include "gui/model/code_under.hpp"
#include "gui/model/diff.hpp"
#include "gui/model/playback.hpp"
#include "gui/model/plots.hpp"
#include "gui/model/session.hpp"
#include "gui/model/source_pages.hpp"
#include "gui/model/what_if.hpp"
#include "gui/panels/code_view.hpp"
#include "gui/panels/conflict.hpp"
#include "gui/panels/glossary_view.hpp"
#include "gui/panels/lab_page.hpp"
#include "gui/panels/tour.hpp"
#include "gui/plot/frame.hpp"

namespace dojo::gui {

/// A part of the window to save as a picture after this frame is drawn.
struct PngRequest {
  bool due = false;
  ImVec2 min, max;
  std::string file;
};

/// Of a source on a slide: many lines for the room, in large type.
constexpr float slide_line_distance = 1.12f;

class Ui {
 public:
  explicit Ui(Session& s) : s_(s) {}
  /// Between ImGui::NewFrame and ImGui::Render.
  void frame();
  /// Something moves by itself: the next frame is due soon (seconds; large when still).
  double next_frame() const { return next_frame_; }
  PngRequest png;
  /// Where the parts of a slide (and a few others) stand in the last frame, by name: left, top, right,
  /// bottom.
  std::vector<std::pair<std::string, ImVec4>> layout;
  /// In print: the page of a slide's source that is drawn, and what stands on all of them.
  int print_page = 0;
  SourcePages printed;
  float least_print = 14;  ///< pixels that its type has at least
  /// How the source on a slide (the student's or the reference's) was last set.
  const CodeView& slide_code() const {
    return s_.talk.slide() && s_.talk.slide()->show == "reference" ? reference_code_ : code_;
  }
  /// What the plots of the last frame offered, by key.
  std::map<std::string, PlotOffer> offers;

 private:
  void keys();
  void header();
  void menu_popup(ImVec2 button);
  void device_combo(float width);
  void size_combo(float width);
  void status_bar();
  // Where the parts stand (workspace.cpp).
  void part(const char* id, ImVec2 size, ImU32 ground, ImVec2 pad, const std::function<void()>& body);
  void workspace(float height);
  void no_step();
  void step_parts(ImVec2 room);
  UiState::Tab shown_tab() const;  ///< a wide window has no tab for the brief
  void brief_fold();
  void rail();
  void rail_lab(const Lab&);
  void centre();
  void tabs();
  void brief();
  void hints();
  void published();
  void prediction_card(bool in_overlay);
  void source();
  void file_banner();  ///< the file is gone, or another program changed it
  void reference();
  /// Draws the code beside (or below) what `draw` puts into the room it is given. code_pane.cpp.
  void with_code(bool reference, TextBuffer&, const std::function<void(ImVec2)>& draw);
  void code_pane(bool reference, TextBuffer&, ImVec2 size);
  void runs_tab();
  void compare_plot(const PastRun& a, const PastRun& b);
  // Instructors (instructor.cpp).
  void instructor_tab();
  void stand_in_strip();
  void stand_in_source();
  void lab_table();
  void submissions_view();  // submissions.cpp
  void submissions_head(float width);
  void submissions_table();
  TextBuffer& text_of(const StandIn&);
  void differences();           // differences.cpp
  static float notes_height();  // of a slide's notes, lecture_view.cpp
  void source_page(const std::vector<std::string>& lines, const std::map<int, LineHeat>&, ImVec2 size);
  void verdict();
  void recorded(const RunReport& reference);  ///< in the verdict's place
  void gates(const RunReport&);
  void printed_text(const RunReport&);
  void kernel_table(const RunReport&);  ///< of a program of the student's own
  void run_times(const RunReport&, const RunReport* reference);
  void findings(const RunReport&);
  void mismatches(const RunReport&);
  void next_card();
  void advice();
  void plots(bool large);
  void plot_tabs(const std::string& chosen);
  void plot_divergence(ImVec2 size);
  void plot(const std::string& key, ImVec2 size);
  /// Every plot stands between these two: its buttons, its legend's toggles, its figures as CSV, its hover
  /// box.
  bool plot_begin(const std::string& key, ImVec2 size, const PlotSpec&, PlotArea&);
  void plot_end(PlotArea&, const std::vector<std::string>& hover = {});
  Table plot_figures(const std::string& key);
  void plot_bars(const std::string& key, ImVec2 size);
  void plot_timeline(ImVec2 size);
  void plot_streams(ImVec2 size);
  void timeline_clock(const std::vector<std::pair<const Timeline*, std::string>>& runs, double end,
                      const PlotArea&);
  void plot_roofline(ImVec2 size);
  void plot_waves(ImVec2 size);
  void plot_occupancy(ImVec2 size);
  void plot_pairs(const std::string& key, ImVec2 size);
  void plot_banks(ImVec2 size, bool pattern = false);  // pattern: that, whatever the run did
  void plot_addresses(ImVec2 size, bool pattern = false);
  void plot_sweep(ImVec2 size);
  void plot_history(ImVec2 size);
  void plot_what_if(ImVec2 size);
  void what_if_controls(float width);
  void line_table(bool shared);
  bool real_access(StepTrace::Space, ImVec2 size);  // plot_real.cpp: true when it drew a recorded access
  void plot_lanes(ImVec2 size);
  void overlays();
  void palette();
  void help_sheet();
  void prediction_overlay();
  void reset_overlay();
  void open_overlay();  ///< asks for the path of a program
  void toasts();
  void lecture();
  void slide_keys();
  void slide_foot();
  // Slow motion (slow_motion.cpp, slow_motion_views.cpp).
  void slow_motion(ImVec2 size, bool lecture);
  void motion_head();
  void motion_transport(float width);
  void motion_ribbon(ImVec2 from, ImVec2 size);
  void motion_source(ImVec2 size);
  void motion_ptx(ImVec2 size);
  void motion_slide(ImVec2 size);  // motion_slide.cpp
  float lane_label() const;
  float lane_width(float width) const;
  std::string motion_name(const StepTrace::Register&) const;  ///< the variable's, or as PTX has it
  void motion_warps(ImVec2 size, bool titled = true);
  void motion_registers(ImVec2 size);
  void motion_memory(ImVec2 size);
  /// One access over banks or sectors, at the lanes' places; null: the banks alone. Returns what the mouse is
  /// on.
  std::string motion_touched(const StepTrace::Access*, ImVec2 from, ImVec2 size);
  /// One access over banks or sectors, in the slow motion and in the maps; what the mouse is on comes back.
  /// The two switches are a map's legend: first and further passes, lanes and sectors.
  std::string motion_banks(const StepTrace::Access&, ImVec2 from, ImVec2 size, bool first_pass = true,
                           bool more_passes = true);
  /// What it came to, in words; `bad` when it cost more than it had to.
  struct AccessWords {
    std::string title, note;
    bool bad = false;
    std::string brief;  // both in few words, for a plot's title
  };
  AccessWords access_words(const StepTrace::Access&) const;
  std::string motion_sectors(const StepTrace::Access&, ImVec2 from, ImVec2 size, bool lanes = true,
                             bool sectors = true);
  bool hidden(const std::string& series) const;
  bool hidden(Series) const;
  const RunReport* earlier_run();

  Session& s_;
  bool show_diff_ = false;
  std::vector<DiffLine> diff_;
  uint64_t diff_version_ = 0;
  std::string diff_of_;
  CodeView code_, reference_code_, motion_code_;
  CodeRows under_;  // as last laid out, and of what
  std::string under_of_;
  int under_line_ = 0;                           // the line that was last scrolled to
  int reference_line_ = 0;                       // a line of the reference to go to in the next frame
  const StepTrace::Access* real_csv_ = nullptr;  // while its plot begins: what CSV is of
  int real_line_[2] = {0, 0}, real_at_[2] = {-1, -1}, lanes_warp_ = 0, lanes_at_ = -1;
  int motion_access_ = -1;  // which of the stop's accesses is drawn; -1: the costliest
  size_t motion_access_at_ = 0;
  float motion_names_width_ = 0;  // of the longest name of a register
  char motion_block_[40] = "0";
  std::vector<uint8_t> motion_ribbon_;
  const void* motion_ribbon_of_ = nullptr;
  std::map<std::string, TextBuffer> reference_texts_;
  TextBuffer stand_in_text_;
  const StandIn* stand_in_text_of_ = nullptr;
  char submissions_path_[512] = {}, course_path_[512] = {}, secret_[128] = {};
  std::string submissions_shown_;
  std::map<std::string, PlotFrame> frames_;
  double next_frame_ = 1e9;
  char open_path_[512] = {};
  char predict_[128] = {}, palette_text_[128] = {}, find_[128] = {}, size_text_[96] = {};
  std::string predict_step_, size_error_;
  int palette_at_ = 0;
  bool palette_was_ = false, predict_was_ = false, help_was_ = false, reset_was_ = false, open_was_ = false,
       close_menu_ = false, code_focused_ = false;
  bool runs_source_ = false;  ///< of two runs: their sources, not their counters
  bool walked_ = false;       ///< on a slide: Tab shows where the keyboard is
  bool find_open_ = false, find_focus_ = false;
  bool wide_ = false;         ///< brief, code and result stand beside each other
  bool brief_shown_ = false;  ///< so the prediction is there already
  BankPattern banks_;
  AddressPattern addresses_;
  WhatIfModel what_if_;
  ConflictCard conflict_;
  GlossaryPage glossary_;
  Tour tour_;
  LabPage lab_page_;
  Playback playback_;
  std::string playback_of_;  // step and report
  int compare_a_ = -1, compare_b_ = -1;
  bool rail_scroll_ = true;
  int slide_at_ = -1;     // whose line was scrolled to
  int pending_line_ = 0;  // a line to go to in the next frame
  std::string rail_step_;
};

}  // namespace dojo::gui
