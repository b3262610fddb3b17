#pragma once
// Draws one frame of the whole window from the session. It needs an ImGui context only, so tests draw without
// a window. Each part of the window is a panel class. Panels share the WindowState; a panel that draws
// another one gets a reference to it here.
#include <imgui.h>

#include <functional>
#include <string>

#include "gui/panels/lab_page.hpp"
#include "gui/panels/motion/slow_motion.hpp"
#include "gui/panels/overlays.hpp"
#include "gui/panels/plots/plots.hpp"
#include "gui/panels/rail.hpp"
#include "gui/panels/result/result.hpp"
#include "gui/panels/step/brief.hpp"
#include "gui/panels/step/centre.hpp"
#include "gui/panels/step/runs_tab.hpp"
#include "gui/panels/step/source.hpp"
#include "gui/panels/teaching/instructor.hpp"
#include "gui/panels/teaching/lecture_view.hpp"
#include "gui/panels/teaching/submissions.hpp"
#include "gui/panels/window_state.hpp"

namespace dojo::gui {

class Ui {
 public:
  explicit Ui(Session& s) : window(s), s_(s) {}
  /// Between ImGui::NewFrame and ImGui::Render.
  void frame();
  /// Seconds until the next frame is due: small while something moves by itself, large when nothing does.
  double next_frame() const { return window.next_frame; }
  /// The view of the source on a slide: the student's or the reference's.
  const CodeView& slide_code() const {
    return s_.lectern.talk.slide() && s_.lectern.talk.slide()->show == "reference" ? window.reference_code
                                                                                   : window.code;
  }

  WindowState window;

 private:
  SlowMotionPanel motion_{window};

 public:
  Plots plots{window, motion_};

 private:
  void keys();
  void header();
  float header_controls(ImVec2 corner, float width);
  void header_title(ImVec2 at, float end);
  void menu_popup(ImVec2 button);
  void device_combo(float width);
  void size_combo(float width);
  void status_bar();
  // The layout (workspace.cpp).
  void part(const char* id, ImVec2 size, ImU32 ground, ImVec2 pad, const std::function<void()>& body);
  void workspace(float height);
  void no_step();
  void step_parts(ImVec2 room);
  float result_width(float all, bool wide);
  /// The brief's column where no line of its figures is broken, in type of `usual_figure` or
  /// `legible_figure`, or for a type of 0 the least where they are legible with the ends of lines broken.
  /// 0: it has no figures.
  float brief_need(double type);

  Session& s_;
  BriefPanel brief_{window};
  InstructorPanel instructor_{window};
  RunsTab runs_{window, plots};
  SourcePanel source_{window, brief_, instructor_};
  CentrePanel centre_{window, brief_, source_, runs_, instructor_};
  ResultPanel result_{window, brief_};
  SubmissionsPanel submissions_{window};
  LectureView lecture_{window, plots, motion_, source_};
  LabPage lab_page_;
  Rail rail_{s_, window};
  Overlays overlays_{window, brief_};
  bool list_was_open_ = false;  ///< at the end of the frame before
  bool close_menu_ = false;
  std::string figures_of_;
  float usual_need_ = 0, legible_need_ = 0, broken_need_ = 0;
  char size_text_[96] = {};
  std::string size_error_;
};

}  // namespace dojo::gui
