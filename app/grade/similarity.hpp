#pragma once
// How alike two sources are: a hint for an instructor that two submissions should be read side by side, never
// a verdict.
#include <cstdint>
#include <string>
#include <vector>

namespace dojo::grade {

/// Fingerprints of a source's tokens: hashes of `k` tokens in a row, identifiers and numbers as they are,
/// comments and white space dropped, thinned by winnowing (the smallest of every `w` neighbours; Schleimer,
/// Wilkerson, Aiken, 2003).
std::vector<uint64_t> fingerprints(const std::string& source, int k = 5, int w = 4);
/// Share of common fingerprints, 0 to 1 (Jaccard).
double similarity(const std::vector<uint64_t>&, const std::vector<uint64_t>&);

}  // namespace dojo::grade
