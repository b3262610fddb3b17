// The student's file in the window: reading, saving, unsaved drafts, two versions at once, a file that is
// gone.
#include <algorithm>

#include "gui/model/session/session.hpp"
#include "run/student/originals.hpp"

namespace dojo::gui {

namespace {
constexpr double draft_delay_s = 0.5;  ///< of typing that a kill may lose, plus the time to write it

/// The text of the last run that is kept, or empty.
std::string last_text(const StepView& v) {
  const auto last = std::find_if(v.history.rbegin(), v.history.rend(),
                                 [](const PastRun& p) { return p.note.empty() && !p.source.empty(); });
  return last == v.history.rend() ? "" : last->source;
}

/// What is wrong with a file that could not be read, and what F5 does about it.
std::string unreadable_words(const fs::path& file, const StepView& v) {
  const std::string name = file.parent_path().filename().string() + "/" + file.filename().string();
  std::error_code ec;
  const std::string as = v.loaded                ? " with the text of this window."
                         : !last_text(v).empty() ? " with the text of your last run."
                                                 : " as it was at first.";
  if (!fs::exists(file, ec))
    return name +
           (fs::is_symlink(file, ec) ? " is a link that leads nowhere. F5 replaces it by a file"
                                     : " was deleted or moved. F5 puts it back") +
           as;
  if (fs::is_directory(file, ec)) return name + " is a folder. Move it away, then press F5.";
  if (!fs::is_regular_file(file, ec)) return name + " is no file. Move it away, then press F5.";
  if (const std::string words = too_long_to_edit(file); !words.empty()) return words;
  return name + " cannot be read. Check its permissions, then press F5.";
}

/// Says in the view what is wrong with its file.
void note_problem(StepView& v, const fs::path& file) {
  std::error_code ec;
  v.file_problem = unreadable_words(file, v);
  v.file_gone = !fs::exists(file, ec);
}

/// The text with the line ends of its file: editors on Windows end lines with a carriage return, too.
std::string with_line_ends_of(const std::string& file, const std::string& text) {
  if (file.find("\r\n") == std::string::npos) return text;
  std::string out;
  for (char c : text) {
    if (c == '\n') out += '\r';
    out += c;
  }
  return out;
}
}  // namespace

void Session::load_text(StepView& v, bool keep_caret) {
  const Step& s = catalog_.find(v.id);
  const fs::path file = catalog_.student_file(s);
  const bool first = !v.loaded;
  const auto text = too_long_to_edit(file).empty() ? read_regular_file(file) : std::nullopt;
  if (!text) {
    note_problem(v, file);
    if (first) v.text.set("");
  } else {
    v.file_problem.clear();
    if (first)
      v.text.set(*text);
    else if (*text != with_line_ends_of(*text, v.text.text())) {
      Caret c = v.text.caret();
      v.text.replace_all(*text);
      if (keep_caret) v.text.move_to(c);
    }
    v.text.mark_saved();
    v.base = *text;
    v.text_version = v.text.version();
    v.loaded = true;
    v.disk_newer = false;
  }
  if (first) restore_draft(v);
  if (v.reference_text.empty() && !catalog_.lab_of(s).reference.empty())
    v.reference_text = read_regular_file(catalog_.reference_file(s)).value_or("");
}

void Session::restore_draft(StepView& v) {
  if (lectern.on()) return;
  std::string problem;
  const auto draft = drafts_.load(v.id, catalog_.student_file(catalog_.find(v.id)), &problem);
  if (!problem.empty()) toast(problem, Tone::warn);
  if (!draft) return;
  if (v.loaded && draft->text == v.text.text()) {
    drafts_.drop(v.id, catalog_.student_file(catalog_.find(v.id)));
    return;
  }
  v.text.replace_all(draft->text);
  v.text.move_to({draft->line, draft->column});
  // Changed outside since the editing began: saving asks which version stays.
  v.disk_newer = v.loaded && draft->base != v.base;
  v.base = draft->base;
  v.loaded = true;
  v.draft_version = v.text.version();
  toast("Your unsaved text of " + draft->when + " is back. Ctrl+S saves it, Undo shows the file as saved.");
}

void Session::keep_drafts(bool at_once) {
  if (lectern.on()) return;
  bool waiting = false;
  for (auto& [id, v] : views_) {
    if (!v->loaded) continue;
    if (!v->text.modified()) {
      v->draft_problem.clear();
      if (v->draft_version) drafts_.drop(id, catalog_.student_file(catalog_.find(id)));
      v->draft_version = 0;
      continue;
    }
    if (v->draft_version == v->text.version() && !(at_once && !v->draft_problem.empty())) continue;
    waiting = true;
    if (!at_once && (draft_due_ == 0 || now_ < draft_due_)) continue;
    const Caret at = v->text.caret();
    const std::string problem =
        places_.data.empty() && places_.someone_types
            ? "there is no folder for it (XDG_DATA_HOME, HOME)"
            : drafts_.keep(id, {catalog_.student_file(catalog_.find(id)).string(), now_text(), v->base,
                                v->text.text(), at.line, at.column});
    if (!problem.empty() && v->draft_problem.empty())
      toast("Unsaved text is not kept: " + problem + ". Save the file.", Tone::warn);
    v->draft_problem = problem;
    v->draft_version = v->text.version();
    waiting = false;
    draft_due_ = 0;
  }
  if (!waiting)
    draft_due_ = 0;
  else if (draft_due_ == 0)
    draft_due_ = now_ + draft_delay_s;
}

std::vector<StepView*> Session::unkept() {
  keep_drafts(true);
  std::vector<StepView*> out;
  for (auto& [id, v] : views_)
    if (v->loaded && v->text.modified() && !v->draft_problem.empty()) out.push_back(v.get());
  return out;
}

bool Session::may_close() {
  if (lectern.on()) lectern.close();
  if (unkept().empty()) return true;
  ui.open(Overlay::losing);
  return false;
}

std::string Session::save_copy(StepView& v, const std::string& path) {
  const bool own = path == catalog_.student_file(catalog_.find(v.id)).string();
  if (const auto disk = own ? read_regular_file(path) : std::nullopt; disk && *disk != v.base)
    return "Another program changed the file meanwhile: save a copy beside it.";
  const std::string problem = replace_file(path, with_line_ends_of(v.base, v.text.text()));
  if (problem.empty()) v.text.mark_saved(), v.draft_problem.clear();
  return problem;
}

bool Session::save() {
  auto* v = view();
  if (!v || !v->loaded || stored()) return false;
  const fs::path file = catalog_.student_file(*step_);
  std::error_code ec;
  // A file that is gone is written again, edited here or not.
  if (!v->text.modified() && fs::exists(file, ec)) return true;
  const std::string mine = with_line_ends_of(v->base, v->text.text());
  if (const auto disk = read_regular_file(file); disk && *disk != v->base && *disk != mine) {
    v->disk_newer = true;
    v->theirs = *disk;
    ui.open(Overlay::conflict);
    return false;
  }
  const std::string problem = replace_file(file, mine);
  if (!problem.empty()) {
    toast(problem +
              ". Your text stays in this window and did not run. Make the folder writable or free space on "
              "its disk, then press Ctrl+S.",
          Tone::bad);
    return false;
  }
  watch_.accept(file);
  v->text.mark_saved();
  v->base = mine;
  v->text_version = v->text.version();
  v->disk_newer = false;
  v->file_problem.clear();
  keep_drafts(false);
  return true;
}

void Session::keep_text(StepView& v, const std::string& text, const std::string& note) {
  PastRun past;
  past.when = now_text();
  past.note = note;
  past.source = text;
  past.report.step = v.id;
  if (const std::string problem = history_.append(v.id, past); !problem.empty() && !places_.data.empty())
    toast(problem, Tone::warn);
  v.history.push_back(std::move(past));
  if (v.history.size() > 50) v.history.erase(v.history.begin());
}

void Session::compare_with_disk() {
  auto* v = view();
  auto disk = v ? read_regular_file(catalog_.student_file(*step_)) : std::nullopt;
  if (!disk) return;
  v->theirs = std::move(*disk);
  ui.open(Overlay::conflict);
}

void Session::keep_mine() {
  auto* v = view();
  ui.close(Overlay::conflict);
  if (!v) return;
  const auto disk = read_regular_file(catalog_.student_file(*step_));
  const bool differs = disk && *disk != with_line_ends_of(*disk, v->text.text());
  if (differs) keep_text(*v, *disk, "The version on disk, replaced by yours");
  v->base = disk.value_or("");
  if (!save()) return;
  if (differs) toast("Your version is saved. The other one is under Runs.");
  if (settings.watch) run(false);
}

void Session::take_disk() {
  auto* v = view();
  ui.close(Overlay::conflict);
  if (!v) return;
  if (v->text.modified()) keep_text(*v, v->text.text(), "Your version, replaced by the one on disk");
  load_text(*v, true);
  watch_.accept(catalog_.student_file(*step_));
  refresh_lines(*v);
  keep_drafts(false);
  toast("The text here is now the file's. Yours is under Runs, and Undo brings it back.");
  if (settings.watch) run(false);
}

bool Session::restore_text(const PastRun& past) {
  auto* v = view();
  if (!v || past.source.empty()) return false;
  v->text.replace_all(past.source);
  v->loaded = true;
  refresh_lines(*v);
  ui.tab = UiState::Tab::source;
  toast("The text of " + past.when + " is in the editor. Ctrl+S saves it, Undo takes it back.");
  return true;
}

void Session::edit_done() {
  auto* v = view();
  if (!v) return;
  if (!v->stale()) return refresh_lines(*v);  // by undo, or by hand, it is the text of the run again
  v->heat.clear();                            // lines have moved: heat would stand beside the wrong ones
}

bool Session::restore_file(StepView& v) {
  const Step& step = catalog_.find(v.id);
  const fs::path file = catalog_.student_file(step);
  std::error_code ec;
  if (fs::exists(file, ec)) {
    load_text(v, true);
    if (v.file_problem.empty()) return true;
    toast(v.file_problem, Tone::bad);
    return false;
  }
  const std::string ran = last_text(v);
  const auto text = v.loaded      ? std::optional(with_line_ends_of(v.base, v.text.text()))
                    : ran.empty() ? run::original_text(catalog_, step, places_.data)
                                  : std::optional(ran);
  if (!text) {
    toast(step.file + " is gone, and there is no earlier text of it. Copy it from the course's files.",
          Tone::bad);
    return false;
  }
  if (const std::string problem = replace_file(file, *text); !problem.empty()) {
    toast(problem, Tone::bad);
    return false;
  }
  watch_.accept(file);
  v.base = *text;
  if (!v.loaded) v.text.set(*text);
  v.loaded = true;
  v.text.mark_saved();
  v.text_version = v.text.version();
  v.file_problem.clear();
  toast(step.file + " is back.", Tone::good);
  return true;
}

bool Session::tick_file() {
  auto* v = view();
  if (!v || stored()) return false;
  bool news = false;
  const bool changed = !watch_.changed().empty();
  const bool gone = watch_.gone() && !v->stand_in;
  if (gone && v->file_problem.empty()) {
    note_problem(*v, catalog_.student_file(*step_));
    news = true;
  } else if (!gone && !v->file_problem.empty()) {
    // There again, or about to be noticed as gone: reading it decides.
    const std::string before = v->file_problem;
    if (v->text.modified() && v->loaded)
      v->file_problem.clear();
    else
      load_text(*v, true);
    news = v->file_problem != before;
  }
  if (!changed) return news;
  if (v->text.modified()) {
    v->disk_newer = true;
  } else {
    load_text(*v, true);
    refresh_lines(*v);
    if (v->stale()) v->marks.clear();
    if (settings.watch) rerun_ = true;
  }
  return true;
}

bool Session::reset() {
  auto* v = view();
  if (!v || !step_ || refuse_stored()) return false;
  const std::string current = v->text.text();
  const fs::path file = catalog_.student_file(*step_);
  const auto original = run::original_text(catalog_, *step_, places_.data);
  if (!original) {
    toast("There is no earlier text of " + step_->file +
              ": the checkout has no git history and the file was never seen unchanged.",
          Tone::bad);
    return false;
  }
  if (*original == current) {
    toast("The file is as it was.");
    return true;
  }
  fs::path kept = (places_.data.empty() ? file.parent_path() : places_.data / "kept" / lab()->name) /
                  (file.stem().string() + " " + now_text() + file.extension().string());
  std::string problem = replace_file(kept, current);
  if (!problem.empty()) {
    toast(problem + ". Nothing was reset.", Tone::bad);
    return false;
  }
  v->text.replace_all(*original);
  if (!save()) return false;
  refresh_lines(*v);
  toast("The file is as it was. Yours is kept as " + kept.string());
  return true;
}

}  // namespace dojo::gui
