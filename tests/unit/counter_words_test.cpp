// The words of help texts: one term per thing, as shared by Nsight Compute and the CUDA documentation.
#include <doctest/doctest.h>

#include <string>

#include "core/counters.hpp"

using namespace dojo;

TEST_CASE("counters: each help text is one or more whole sentences in the documented terms") {
  static const char* const avoided[] = {"multiprocessor", "on its way", "on their way", "in a row",
                                        "side by side",   " a request", " a warp is",   "one for each",
                                        "passes through", "Passes",     "neighbour"};
  for (const CounterInfo& c : counter_table()) {
    const std::string help(c.help);
    CAPTURE(c.name);
    CAPTURE(help);
    CHECK(help.ends_with("."));
    for (const char* words : avoided) CHECK_MESSAGE(help.find(words) == help.npos, words);
  }
}
