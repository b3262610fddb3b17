#include "gui/model/session/grading_desk.hpp"

#include <cstdlib>

#include "core/error.hpp"
#include "gui/model/session/session.hpp"

namespace dojo::gui {

Runner& GradingDesk::runner_for(const StandIn& in) {
  run::WorkerOptions o;
  if (!trusted) {
    auto sandbox = table->sandbox();
    if (!sandbox)
      throw Error("The sandbox for submissions is still being tried out. Press F5 again in a moment.");
    if (!sandbox->closed())
      throw Error(
          "No sandbox can be had here (Landlock needs Linux 5.13 or newer; else install bubblewrap), and a "
          "submission is hostile input. If you trust these files, switch the sandbox off in the table of "
          "submissions "
          "(F7).");
    o.sandbox = *sandbox;
  }
  // A submission that took over its worker must not see the next student's file.
  const std::string key = in.label + (trusted ? " trusted" : "");
  if (!enclosed_ || enclosed_for_ != key) {
    if (s_.active_ == enclosed_.get()) s_.active_ = s_.runner_.get();
    enclosed_.reset();
    enclosed_ = make_enclosed(o);
    enclosed_for_ = key;
  }
  return *enclosed_;
}

GradingDesk::GradingDesk(Session& s, std::function<void()> wake)
    : table(std::make_unique<Submissions>(std::move(wake))), s_(s) {}

bool GradingDesk::open(const std::string& path) {
  if (!table->open(s_.catalog_, path, course_file)) {
    s_.toast(table->error(), Tone::bad);
    return false;
  }
  s_.set_instructor(true);
  s_.ui.submissions = true;
  return true;
}

void GradingDesk::show(int row) {
  if (s_.refuse_running()) return;
  auto in = table->open_row(row);
  if (!s_.open(table->step_of(row))) return;
  s_.choose_stand_in(in);
  s_.ui.submissions = false;
  s_.ui.tab = UiState::Tab::source;
}

void GradingDesk::next(int direction) {
  if (s_.refuse_running()) return;
  auto in = table->go(direction);
  if (!in) {
    s_.toast(direction > 0 ? "That was the last student." : "That is the first student.");
    return;
  }
  if (!s_.open(table->step_of(table->at()))) return;
  s_.choose_stand_in(in);
  s_.ui.submissions = false;
}

void GradingDesk::grade() {
  std::string words = secret;
  if (words.empty())
    if (const char* e = std::getenv("WARPDOJO_SECRET")) words = e;
  // One child at a time: the window stays quick, and the second core stays with it.
  if (!table->grade(words, 1, trusted) && !table->error().empty()) s_.toast(table->error(), Tone::bad);
}

fs::path GradingDesk::export_csv() {
  const fs::path file = (s_.places_.data.empty() ? fs::path(".") : s_.places_.data / "grades") /
                        ("grades-" + as_file_name(now_text()) + ".csv");
  std::string problem = replace_file(file, table->csv());
  s_.toast(problem.empty() ? "The grades are in " + file.string() : problem,
           problem.empty() ? Tone::good : Tone::bad);
  return problem.empty() ? file : fs::path();
}

}  // namespace dojo::gui
