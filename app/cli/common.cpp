// What the calls share: catalog, sizes, asking the worker.
#include <signal.h>
#include <unistd.h>

#include <cstdio>

#include "cli/cli.hpp"
#include "cli/terminal.hpp"
#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "core/paths.hpp"
#include "fmt/format.h"
#include "run/own_program.hpp"
#include "run/source_file.hpp"
#include "run/student/originals.hpp"
#include "run/student/student_progress.hpp"

namespace dojo::cli {
namespace {

std::atomic<bool> stop{false};
void on_interrupt(int) { stop = true; }

/// A bar on a terminal's standard error; silent elsewhere.
class Bar {
 public:
  ~Bar() { clear(); }
  void show(const run::Progress& p) {
    if (!tty_) return;
    const int filled = int(p.fraction * 20);
    std::string bar(size_t(std::clamp(filled, 0, 20)), '#');
    bar.resize(20, '.');
    fmt::print(stderr, "\r\x1b[K{} {} [{}]", p.who, p.phase, bar);
    std::fflush(stderr);
    shown_ = true;
  }
  void clear() {
    if (shown_) fmt::print(stderr, "\r\x1b[K");
    std::fflush(stderr);
    shown_ = false;
  }

 private:
  const bool tty_ = isatty(2);
  bool shown_ = false;
};

template <class Request>
Answer ask_worker(run::WorkerClient& client, const Request& request, std::FILE* printed) {
  catch_interrupts();
  client.start(request);
  Bar bar;
  bool asked = false;
  for (;;) {
    if (interrupted() && !asked) {
      client.cancel();
      asked = true;
    }
    auto e = client.wait(std::chrono::milliseconds(100));
    if (!e) continue;
    switch (e->kind) {
      case run::WorkerEvent::progress:
        bar.show(e->at);
        break;
      case run::WorkerEvent::printed:
        bar.clear();
        std::fwrite(e->text.data(), 1, e->text.size(), printed);
        std::fflush(printed);
        break;
      case run::WorkerEvent::report:
      case run::WorkerEvent::died:
        return {std::move(e->report_), e->exit_status, e->steps, e->code};
      case run::WorkerEvent::failed:
        bar.clear();
        throw Error(e->text, e->exit_status);
    }
  }
}

}  // namespace

bool interrupted() { return stop; }

void catch_interrupts() {
  static const bool once = [] {
    struct sigaction a {};
    a.sa_handler = on_interrupt;
    sigaction(SIGINT, &a, nullptr);
    sigaction(SIGTERM, &a, nullptr);
    return true;
  }();
  (void)once;
}

Catalog open_catalog() {
  Catalog c = load_catalog(find_root());
  for (const auto& d : c.problems)
    fmt::print(stderr, "warpdojo: {}:{}: {}; this lab is left out\n", d.where.file, d.where.line, d.message);
  return c;
}

Size parse_size(const std::string& text) {
  Size size;
  if (text.empty()) return size;
  for (size_t from = 0; from <= text.size();) {
    const size_t comma = std::min(text.find(',', from), text.size());
    const std::string part = text.substr(from, comma - from);
    const size_t equals = part.find('=');
    if (equals == std::string::npos)
      size[""] = parse_extent(part);
    else
      size[part.substr(0, equals)] = parse_extent(part.substr(equals + 1));
    from = comma + 1;
  }
  return size;
}

std::string size_text(const Size& size) {
  std::string s;
  for (const auto& [k, v] : size) s += (s.empty() ? "" : ", ") + k + " = " + count_text(double(v));
  return s;
}

run::RunRequest request_of(const RunOptions& o) {
  run::RunRequest r;
  r.step = o.step;
  r.who = o.who;
  r.device = o.device;
  if (!o.file.empty()) {
    r.student_source = run::read_source(o.file, o.file);
    r.student_file = o.file;
  }
  r.size = parse_size(o.size);
  r.seed = o.seed;
  r.time_limit_s = o.time_limit_s;
  return r;
}

const Step& step_or_program(Catalog& catalog, const std::string& name) {
  return run::names_program(catalog, name) ? run::open_program(catalog, name) : catalog.find(name);
}

void set_program(run::RunRequest& r, const Catalog& catalog, const Step& step) {
  if (!run::is_program(step)) return;
  r.program = true;
  r.student_file = catalog.student_file(step).string();
  if (r.who == run::Who::reference) throw Error("a program of your own has no reference");
  r.who = run::Who::student;
}

int count_try(const Catalog& catalog, const Step& step, Status status) {
  if (run::excused_if_untouched(status)) {
    const std::string text = read_or_empty(catalog.student_file(step));
    if (const int todo = run::untouched_todo(catalog, step, data_folder(), text)) return todo;
  }
  auto progress = run::StudentProgress::load();
  progress.count_run(step.id(), status);
  keep(progress);
  return 0;
}

void keep(run::StudentProgress& progress) {
  if (const std::string problem = progress.save(); !problem.empty())
    fmt::print(stderr, "warpdojo: {}\n", problem);
}

Answer ask(run::WorkerClient& c, const run::RunRequest& r) { return ask_worker(c, r, stdout); }
Answer ask(run::WorkerClient& c, const run::PlayRequest& r, std::FILE* printed) {
  return ask_worker(c, r, printed);
}

}  // namespace dojo::cli
