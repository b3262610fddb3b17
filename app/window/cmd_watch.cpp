// watch: the terminal as a lab bench. Saving a file runs its step; single keys do the rest.
#include <fmt/format.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "cli/cli.hpp"
#include "cli/show.hpp"
#include "cli/terminal.hpp"
#include "core/error.hpp"
#include "core/paths.hpp"
#include "gui/model/session/store.hpp"
#include "gui/model/text/brief.hpp"
#include "run/student/file_watch.hpp"
#include "run/student/originals.hpp"
#include "run/student/student_progress.hpp"
#include "run/student/unsaved.hpp"

namespace dojo::cli {
namespace {

/// Single keys without Enter, as long as it lives. Ctrl+C stays a signal.
class RawKeys {
 public:
  RawKeys() {
    if (!isatty(0) || tcgetattr(0, &before_) != 0) return;
    termios raw = before_;
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    on_ = tcsetattr(0, TCSANOW, &raw) == 0;
  }
  ~RawKeys() {
    if (on_) tcsetattr(0, TCSANOW, &before_);
  }

 private:
  termios before_{};
  bool on_ = false;
};

class Watch {
 public:
  explicit Watch(const std::string& start) : catalog_(open_catalog()) {
    const auto progress = run::StudentProgress::load();
    if (start.empty() || catalog_.find_lab(start)) {
      const Lab* lab = start.empty() ? nullptr : catalog_.find_lab(start);
      if (!lab && !catalog_.labs.empty()) lab = &catalog_.labs.front();
      if (!lab) throw Error("there are no labs under " + (catalog_.root / "labs").string());
      const auto open = std::find_if(lab->steps.begin(), lab->steps.end(), [&](const Step& s) {
        return progress.of(s.id()).state != run::StepState::passed;
      });
      step_ = open == lab->steps.end() ? &lab->steps.front() : &*open;
    } else {
      step_ = &catalog_.find(start);
    }
    for (const auto& l : catalog_.labs)
      for (const auto& s : l.steps)
        if (l.name == step_->lab) run::keep_original(catalog_, s, data_folder());
  }

  int loop() {
    catch_interrupts();
    RawKeys keys;
    run::FileWatch files;
    files.watch(catalog_.lab_of(*step_).folder);
    open_step();
    bool input = true;
    while (!interrupted()) {
      pollfd p[2] = {{input ? 0 : -1, POLLIN, 0}, {files.descriptor(), POLLIN, 0}};
      const int ready = ::poll(p, 2, files.poll_ms());
      if (ready < 0 && errno != EINTR) break;
      if (ready > 0 && (p[0].revents & (POLLIN | POLLHUP))) {
        char key = 0;
        const ssize_t n = ::read(0, &key, 1);
        if (n == 0) input = false;  // no keyboard (a script): watch on
        if (n == 1 && !press(key, files)) break;
      }
      for (const auto& file : files.changed()) saved(file);
    }
    return last_status_;
  }

 private:
  void say(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }

  void open_step() {
    say(fmt::format("\n{}  {}\n{}\n", paint(Ink::bold, step_->id()), step_->title,
                    paint(Ink::dim, catalog_.student_file(*step_).string())));
    if (!step_->brief.empty()) {
      const auto runs = gui::History(data_folder()).load(step_->id());
      const Report* last = runs.empty() ? nullptr : &runs.back().report;
      say("\n" + gui::plain_text(gui::render_brief(step_->brief, step_, last), 96) + "\n");
    }
    say(paint(Ink::dim, "Save the file to run it.  n next   h hint   r rerun   x reset   q quit\n"));
  }

  void saved(const fs::path& file) {
    const Lab& lab = catalog_.lab_of(*step_);
    for (const auto& s : lab.steps)
      if (file.filename() == s.file) {
        step_ = &s;
        execute();
        return;
      }
  }

  void execute() {
    run::RunRequest r;
    r.step = step_->id();
    say("\n");
    const std::string unsaved =
        run::unsaved_words(catalog_, *step_, data_folder(), "which does not run here");
    if (!unsaved.empty()) say(paint(Ink::bad, unsaved) + "\n");
    try {
      const Answer a = ask(client_, r);
      say(show_report(a.report, &catalog_, step_, catalog_.root.string()));
      last_status_ = a.exit_status;
      for (const auto& x : a.report.runs)
        if (x.who == "student") {
          if (const int todo = count_try(catalog_, *step_, x.status))
            say(fmt::format("Not started: the TODO is at line {} of {}.\n", todo, step_->file));
          if (x.status == Status::pass) say(paint(Ink::good, "Passed.") + " n goes to the next step.\n");
        }
    } catch (const Error& e) {
      say(fmt::format("warpdojo: {}\n", e.what()));
      last_status_ = e.exit;
    }
  }

  const Step* next() const {
    const Lab& lab = catalog_.lab_of(*step_);
    for (size_t i = 0; i + 1 < lab.steps.size(); ++i)
      if (lab.steps[i].file == step_->file) return &lab.steps[i + 1];
    return nullptr;
  }

  /// False when the key ends the watch.
  bool press(char key, run::FileWatch& files) {
    try {
      switch (key) {
        case 'q':
          return false;
        case 'r':
          execute();
          break;
        case 'h':
          cmd_hint(step_->id());
          break;
        case 'n':
          if (const Step* s = next()) {
            step_ = s;
            open_step();
          } else {
            say("This was the lab's last step.\n");
          }
          break;
        case 'x':
          cmd_reset(step_->id());
          files.accept(catalog_.student_file(*step_));
          break;
        default:
          break;
      }
    } catch (const Error& e) {
      say(fmt::format("warpdojo: {}\n", e.what()));
    }
    std::fflush(stdout);
    return true;
  }

  Catalog catalog_;
  const Step* step_ = nullptr;
  run::WorkerClient client_{run::WorkerOptions{.warm = true}};
  int last_status_ = 0;
};

}  // namespace

int cmd_watch(const std::string& start) { return Watch(start).loop(); }

}  // namespace dojo::cli
