// Submissions: opening, stepping through, running beside the reference, grading.
#include <cstdlib>

#include "core/error.hpp"
#include "gui/model/session/session.hpp"

namespace dojo::gui {

Runner& Session::runner_for(const StandIn* in) {
  if (!in || !in->hostile()) return *runner_;
  run::WorkerOptions o;
  if (!trust_submissions) {
    auto sandbox = submissions->sandbox();
    if (!sandbox)
      throw Error("The sandbox for submissions is still being tried out. Press F5 again in a moment.");
    if (!sandbox->closed())
      throw Error(
          "No sandbox can be had here (Landlock needs Linux 5.13 or newer; else install bubblewrap), and a "
          "submission "
          "is hostile input. If you trust these files, switch the sandbox off in the table of submissions "
          "(F7).");
    o.sandbox = *sandbox;
  }
  // Whoever took over a child must not meet the next one's file.
  const std::string key = in->label + (trust_submissions ? " trusted" : "");
  if (!enclosed_ || enclosed_for_ != key) {
    if (active_ == enclosed_.get()) active_ = runner_.get();
    enclosed_.reset();
    enclosed_ = make_enclosed(o);
    enclosed_for_ = key;
  }
  return *enclosed_;
}

bool Session::open_submissions(const std::string& path) {
  if (!submissions->open(catalog_, path, course_file)) {
    toast(submissions->error(), Tone::bad);
    return false;
  }
  set_instructor(true);
  ui.submissions = true;
  return true;
}

void Session::open_submission(int row) {
  if (running_) {
    toast("A run is going on; Esc cancels it.");
    return;
  }
  auto in = submissions->open_row(row);
  if (!open(submissions->step_of(row))) return;
  choose_stand_in(in);
  ui.submissions = false;
  ui.tab = UiState::Tab::source;
}

void Session::next_submission(int direction) {
  if (running_) {
    toast("A run is going on; Esc cancels it.");
    return;
  }
  auto in = submissions->go(direction);
  if (!in) {
    toast(direction > 0 ? "That was the last student." : "That is the first student.");
    return;
  }
  if (!open(submissions->step_of(submissions->at()))) return;
  choose_stand_in(in);
  ui.submissions = false;
}

void Session::grade_submissions() {
  std::string words = secret;
  if (words.empty())
    if (const char* e = std::getenv("WARPDOJO_SECRET")) words = e;
  // One child at a time: the window stays quick, and the second core stays with it.
  if (!submissions->grade(words, 1, trust_submissions) && !submissions->error().empty())
    toast(submissions->error(), Tone::bad);
}

fs::path Session::export_grades() {
  std::string when = now_text();
  for (char& c : when)
    if (c == ' ' || c == ':') c = '-';
  fs::path file =
      (places_.data.empty() ? fs::path(".") : places_.data / "grades") / ("grades-" + when + ".csv");
  std::string problem = replace_file(file, submissions->csv());
  toast(problem.empty() ? "The grades are in " + file.string() : problem,
        problem.empty() ? Tone::good : Tone::bad);
  return problem.empty() ? file : fs::path();
}

}  // namespace dojo::gui
