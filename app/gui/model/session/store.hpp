#pragma once
// What the window keeps between starts: settings and the history of runs (progress:
// run/student/student_progress.hpp). Files are small JSON texts in the XDG folders, written atomically (a
// temporary file, flushed, then renamed), read tolerantly: a broken file is set aside and the defaults are
// used.
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/files/whole_file.hpp"
#include "core/report.hpp"
#include "run/student/student_progress.hpp"

namespace dojo::gui {

namespace fs = std::filesystem;

using run::StepProgress;
using run::StepState;

/// The text of a regular file; nothing for another kind, or when it can't be read.
std::optional<std::string> read_regular_file(const fs::path&);
/// A path as it was typed behind a folder that stood there: a doubled slash and ~ begin anew. ~ is the home
/// folder.
std::string typed_path(const std::string&);
/// Why a file is too long for the window's editor, in words; empty: it isn't.
std::string too_long_to_edit(const fs::path&);

struct Settings {
  std::string theme = "dark";        ///< dark, light, contrast, or system: as the desktop asks
  std::string theme_once;            ///< for this start only, not kept; empty: `theme`
  std::string system_look = "dark";  ///< what "system" means now; not kept
  const std::string& look() const {
    return !theme_once.empty() ? theme_once : theme == "system" ? system_look : theme;
  }
  float scale = 1;  ///< of Ctrl + and Ctrl −, on top of the display's own
  bool watch = true;
  std::string step;    ///< the last one open
  std::string device;  ///< empty: the step's own
  std::string heat = "instructions";
  std::string plot = "";                             ///< empty: the step's picture
  float rail = 256, right = 0.40f, verdict = 0.50f;  ///< splitters: pixels at scale 1, shares
  float brief = 0.31f;                               ///< share of the brief's column in a wide window
  bool brief_unfolded = false;                       ///< above the code in a narrow window
  std::string editor;                                ///< command of "Open in my editor"; empty: found
  bool rail_shown = true;
  bool wrap = true;                           ///< lines of a source that are too long go on in further rows
  bool code_shown = false;                    ///< PTX and machine code beside the source
  bool code_sass = false, code_only = false;  ///< machine code instead of PTX; only the chosen line's
  float code = 0.46f;                         ///< its share of the source's room
  int width = 1600, height = 950;             ///< of the window, in screen units
  bool maximized = false;
  std::map<std::string, bool> hidden_series;
  std::vector<std::string> programs;         ///< own programs that were opened, the last one at the end
  std::set<std::string> folded;              ///< labs folded in the rail
  std::map<std::string, std::string> other;  ///< unknown keys of later versions, kept as they were

  static Settings load(const fs::path& folder, std::string* problem = nullptr);
  /// Returns an empty string, or what went wrong.
  std::string save(const fs::path& folder) const;
};

/// One earlier run of a step, as it is kept: enough for comparing, without blocks and lines. Or a text that
/// was set aside without a run: then the report has no runs.
struct PastRun {
  std::string when;  ///< 2026-03-14 15:09:26, local time
  std::string note;  ///< a word for it, may be empty
  Report report;
  std::string source = {};  ///< the student's file then; empty in histories of earlier versions
};

/// The last runs of a step, oldest first, at most `limit`.
class History {
 public:
  explicit History(fs::path folder = {}, size_t limit = 50) : folder_(std::move(folder)), limit_(limit) {}
  std::vector<PastRun> load(const std::string& step) const;
  std::string append(const std::string& step, const PastRun&) const;
  fs::path file(const std::string& step) const;

 private:
  fs::path folder_;
  size_t limit_;
};

/// A report without block spans and line counters.
Report without_detail(const Report&);
/// Local time as PastRun::when has it.
std::string now_text();
/// A step's id or a time as a part of a file's name: '/', ' ' and ':' become '-'.
std::string as_file_name(std::string);

}  // namespace dojo::gui
