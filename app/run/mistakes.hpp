#pragma once
// Plausible wrong versions of a step are kept in tests/wrong. A student whose file fails the same way as one
// of them is told what that mistake is.
#include <string>
#include <vector>

#include "core/lab.hpp"
#include "core/report.hpp"

namespace dojo::run {

struct StoredMistake {
  fs::path file;
  std::string words;  ///< for the student, from the file's head comment
};

/// The wrong versions kept of a step; none in a checkout without them.
std::vector<StoredMistake> stored_mistakes(const Catalog&, const Step&);

/// True when two failed runs (same device, size and seed) fail alike: the same wrong elements with the same
/// values, the same kinds of findings, or the same gates by about the same figures.
bool same_failure(const RunReport&, const RunReport&);

}  // namespace dojo::run
