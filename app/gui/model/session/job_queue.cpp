#include "gui/model/session/job_queue.hpp"

#include "core/text/error_words.hpp"
#include "gui/model/session/session.hpp"

namespace dojo::gui {

bool JobQueue::start(JobLine line) {
  if (s_.refuse_running()) return false;
  line_ = std::move(line);
  line_.total = line_.todo.size();
  line_.done = 0;
  line_.running = true;
  next();
  return true;
}

void JobQueue::next() {
  while (line_.running && !line_.todo.empty()) {
    line_.now = std::move(line_.todo.front());
    line_.todo.pop_front();
    try {
      const run::RunRequest& r = line_.now.request;
      s_.start_on(*s_.runner_, r, r.step, r.who == run::Who::reference ? "reference" : "student");
      return;
    } catch (const std::exception& e) {
      run::WorkerEvent failed;
      failed.kind = run::WorkerEvent::failed;
      failed.text = error_words(e);
      ++line_.done;
      if (line_.now.done) line_.now.done(failed);
    }
  }
  end(true);
}

void JobQueue::end(bool whole) {
  if (!line_.running) return;
  line_.running = false;
  auto ended = std::move(line_.ended);
  line_.ended = nullptr;
  line_.todo.clear();
  if (ended) ended(whole);
}

void JobQueue::take(const run::WorkerEvent& e, bool cancelled) {
  if (cancelled) {
    end(false);
    return;
  }
  ++line_.done;
  if (line_.now.done) line_.now.done(e);
  next();
}

}  // namespace dojo::gui
