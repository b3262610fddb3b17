#pragma once
// `./warpdojo test` is kept short. Of long recordings it compares a part, always the same lines. Of corpora
// of files and of the most expensive checks of steps it runs a 64th to a quarter, which the number of
// commits picks, so that 64 commits run all. `./warpdojo test --all` runs everything. A test that leaves
// rows out says how many.
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

/// The rows of one table that this run takes: one part of `of`, picked by $WARPDOJO_TEST_PART, the number of
/// commits; all rows where it is not set or $WARPDOJO_LAB picks a lab. Says at its end how many were taken.
class Part {
 public:
  explicit Part(std::string what, int of = 64) : what_(std::move(what)), of_(of) {
    const char* commits = std::getenv("WARPDOJO_TEST_PART");
    if (commits && !whole_suite() && !std::getenv("WARPDOJO_LAB")) part_ = std::atoi(commits) % of;
  }
  ~Part() {
    if (part_ >= 0) MESSAGE(what_ << ": " << taken_ << " of " << seen_ << "; the others with --all");
  }

  bool takes(std::string_view name) {
    const bool mine = part_ < 0 || int(fingerprint(name) % uint64_t(of_)) == part_;
    ++seen_;
    taken_ += mine;
    return mine;
  }
  int seen() const { return seen_; }
  bool whole() const { return part_ < 0; }

 private:
  std::string what_;
  int of_, part_ = -1;
  int seen_ = 0, taken_ = 0;
};

}  // namespace dojo::test
