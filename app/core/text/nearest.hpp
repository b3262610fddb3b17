#pragma once
// "The nearest is": what the user may have meant by an unknown word.
#include <cstddef>
#include <string>
#include <vector>

namespace dojo {

/// Letters to insert, remove, replace or exchange with the next one (optimal string alignment):
/// "wrap" and "warp" are one edit apart.
size_t edit_distance(const std::string& a, const std::string& b);

/// The candidate with the fewest edits. Empty where even that one differs in more than a third of the
/// letters, rounded up: a guess that is far off misleads.
std::string nearest_word(const std::string& wanted, const std::vector<std::string>& candidates);

}  // namespace dojo
