#pragma once
// The threads of a grading.
#include <functional>

namespace dojo::grade {

/// Runs `work` at once on the calling thread and on `jobs - 1` others; fewer where the system starts no more.
/// Returns when all have ended. Throws what the first of them threw.
void run_on_threads(int jobs, const std::function<void()>& work);

}  // namespace dojo::grade
