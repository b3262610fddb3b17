#pragma once
// Time limits count what this process has computed, not what passed: a busy machine must not change a
// verdict.
#include <ctime>

namespace dojo::simt {

/// Seconds of processor time that all threads of this process have used.
inline double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

}  // namespace dojo::simt
