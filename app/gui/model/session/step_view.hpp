#pragma once
// What is known of one step while the app is open: its text, its last report, and what follows from them.
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/labs/lab.hpp"
#include "core/report.hpp"
#include "gui/model/session/jobs.hpp"
#include "gui/model/session/store.hpp"
#include "gui/model/teaching/instructor.hpp"
#include "gui/model/text/line_heat.hpp"
#include "gui/model/text/markdown.hpp"
#include "gui/model/text/text_buffer.hpp"
#include "gui/plot/decimate.hpp"
#include "run/advice.hpp"

namespace dojo::gui {

/// The PTX and machine code of a text.
struct CodeUnder {
  std::shared_ptr<const CodeListing> listing;  ///< null: not yet
  std::string error;                           ///< one line: why there is none
  bool known = false;                          ///< asked for (version, device, counts)
  bool counts = false;                         ///< with how often each instruction ran
  uint64_t version = 0, seen_version = ~0ull;
  Size size;  ///< of the counts
  std::string device;
  double seen_at = 0;   ///< when the text last changed
  uint64_t serial = 0;  ///< grows with every answer
};

/// What is known of one step while the app is open.
struct StepView {
  std::string id;
  std::vector<MdBlock> brief;
  TextBuffer text;             ///< the student's file
  std::string reference_text;  ///< empty when there is none here
  std::string file_problem;    ///< why the file can't be read or saved
  bool file_gone = false;      ///< with a problem: nothing is there, and F5 writes the file again
  bool loaded = false;
  bool disk_newer = false;  ///< another program changed the file while the text here has edits
  bool has_report = false;
  Report report;
  Timeline student_blocks, reference_blocks;
  std::vector<run::Advice> advice;  ///< what bounds the student's run
  std::map<int, LineHeat> heat;     ///< of the chosen metric, student
  std::map<int, std::vector<LineMark>> marks;
  std::string base;            ///< the file's text when it was last read or saved here
  std::string theirs;          ///< of a conflict: the version on disk
  uint64_t draft_version = 0;  ///< of the text when its draft was last written; 0: there is no draft
  std::string draft_problem;   ///< why the unsaved text is not kept in a draft; empty: it is
  std::string shown_from;      ///< the report is an earlier run's: when that was
  int todo_line = 0;           ///< the run was of the untouched file, whose TODO stands there; 0: it wasn't
  uint64_t run_version = 0;    ///< of the text that the report is of
  std::string run_text;        ///< that text, where it is known
  uint64_t text_version = 0;   ///< of the text when it was last saved or loaded
  std::string error;           ///< one line: the run could not be made
  CodeUnder code[2];           ///< under the student's text, the reference's
  std::vector<PastRun> history;
  bool history_loaded = false;
  Size size;                                ///< chosen; empty: the step's own
  std::string device_of;                    ///< of a report made for a slide: the device it was asked from
  uint64_t report_serial = 0;               ///< grows with every report: plots rebuild
  std::shared_ptr<const StandIn> stand_in;  ///< runs in the place of the student's file; null: that one does
  std::string report_of;  ///< label of the stand-in that the report is of; empty: the student's own file

  bool own_report() const { return report_of == (stand_in ? stand_in->label : ""); }
  /// The report is of an older text, or of another file than the one that would run.
  bool stale() const { return has_report && (!own_report() || (!stand_in && !shows_run_text())); }

 private:
  /// Is the text equal to that of the report's run? After edits that were taken back by hand, too.
  bool shows_run_text() const {
    if (run_version == text.version()) return true;
    if (run_text.empty()) return false;
    if (const auto now = std::pair{run_version, text.version()}; now != compared_)
      compared_ = now, equal_ = text.text() == run_text;
    return equal_;
  }
  mutable std::pair<uint64_t, uint64_t> compared_{~0ull, ~0ull};  ///< versions that equal_ is of
  mutable bool equal_ = false;
};

using StepViews = std::map<std::string, std::unique_ptr<StepView>>;  ///< by the step's id

}  // namespace dojo::gui
