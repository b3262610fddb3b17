#pragma once
// Work that takes several runs, one after the other: a whole lab, the slides of a deck.
#include <deque>
#include <functional>
#include <string>

#include "run/worker/worker.hpp"

namespace dojo::gui {

struct Job {
  run::RunRequest request;
  std::string says;                                   ///< what it is, for the foot of the window
  std::function<void(const run::WorkerEvent&)> done;  ///< of kind report, failed or died
};

struct JobLine {
  std::string what;  ///< "Lab reduce"
  std::deque<Job> todo;
  Job now;
  size_t done = 0, total = 0;
  bool running = false;
  std::function<void(bool whole)> ended;  ///< once, at the end; false: cancelled
};

}  // namespace dojo::gui
