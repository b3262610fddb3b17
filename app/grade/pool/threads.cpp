#include "grade/pool/threads.hpp"

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace dojo::grade {

void run_on_threads(int jobs, const std::function<void()>& work) {
  std::mutex mutex;
  std::exception_ptr first;
  const auto guarded = [&] {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    try {
      for (int j = 1; j < jobs; ++j) threads.emplace_back(guarded);
    } catch (const std::exception&) {  // the limit of processes, or no memory for a stack: fewer do
    }
    guarded();
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace dojo::grade
