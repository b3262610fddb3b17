#pragma once
// `./warpdojo test` is kept short. Of long recordings it compares a part, always the same lines. Of corpora
// of files and of the most expensive checks of steps it runs a third, which the number of commits picks, so
// that three commits run all. `./warpdojo test --all` runs everything. A test that leaves rows out says how
// many.
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "core/fingerprint.hpp"

namespace dojo::test {

inline bool whole_suite() {
  const char* which = std::getenv("WARPDOJO_TEST");
  return which && std::string_view(which) == "all";
}

/// The rows of one table that this run takes: those whose name's fingerprint is the third that
/// $WARPDOJO_TEST_THIRD (0, 1 or 2) names; all rows where it is not set or $WARPDOJO_LAB picks a lab.
/// Says at its end how many were taken.
class Third {
 public:
  explicit Third(std::string what) : what_(std::move(what)) {
    const char* third = std::getenv("WARPDOJO_TEST_THIRD");
    if (third && !whole_suite() && !std::getenv("WARPDOJO_LAB")) third_ = std::atoi(third);
  }
  ~Third() {
    if (third_ >= 0) MESSAGE(what_ << ": " << taken_ << " of " << seen_ << "; the others with --all");
  }

  bool takes(std::string_view name) {
    const bool mine = third_ < 0 || int(fingerprint(name) % 3) == third_;
    ++seen_;
    taken_ += mine;
    return mine;
  }
  int seen() const { return seen_; }

 private:
  std::string what_;
  int third_ = -1;
  int seen_ = 0, taken_ = 0;
};

}  // namespace dojo::test
