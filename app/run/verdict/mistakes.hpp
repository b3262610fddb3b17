#pragma once
// Plausible wrong versions of a step are kept in tests/wrong. A student whose file fails the same way as one
// of them is told what that mistake is.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/labs/lab.hpp"
#include "core/report.hpp"

namespace dojo::run {

struct StoredMistake {
  fs::path file;
  std::string words;  ///< for the student, from the file's head comment
  std::string step;   ///< whose wrong version it says it is
  std::string
      expect;  ///< how it must fail: "wrong", "finding race line 11", "gate_failed gate shared_stores == 0"
};

/// `expect` in its parts; what isn't said is empty or 0.
struct Expected {
  std::string status, kind, gate;
  int line = 0;
};
Expected parse_expected(const std::string&);
/// How a run differs from what its wrong version expects: empty when it doesn't.
std::string unlike_expected(const std::string& expect, const RunReport&);
/// The three lines of the head of a wrong version.
StoredMistake read_mistake(const fs::path&);

/// The wrong versions kept of a step; none in a checkout without them.
std::vector<StoredMistake> stored_mistakes(const Catalog&, const Step&);

/// A failed run, and the source that it is of: names in its findings are compared by what they stand for.
struct Failure {
  const RunReport& run;
  std::string_view source = {};  ///< empty: by the names themselves
};
/// True when two failed runs (same device, size and seed) fail alike: the same wrong elements with the same
/// values, findings that say the same, or the same gates by about the same figures.
bool same_failure(const Failure&, const Failure&);

/// Whether a failed run shows a stored wrong version's mistake. Where the step's untouched file fails alike,
/// the failure says nothing of what the student changed: then the run must also be nearer to the wrong
/// version than to the untouched file, by its counters and the shapes of its launches.
bool shows_mistake(const Failure& failed, const Failure& mistake, const std::optional<Failure>& starter);

}  // namespace dojo::run
