#pragma once
// Which sources look alike: winnowed fingerprints of tokens (the method of MOSS: S. Schleimer, D. Wilkerson,
// A. Aiken, "Winnowing: Local Algorithms for Document Fingerprinting", SIGMOD 2003). Names that a student
// chooses count as one token, so that renaming changes nothing; comments and white space don't count. A hint
// for people, never a verdict.
#include <cstdint>
#include <string>
#include <vector>

namespace dojo::grade {

struct Fingerprint {
  uint64_t hash = 0;
  int first_line = 0, last_line = 0;  ///< of the tokens that it stands for
};

/// Of every window of `w` runs of `k` tokens the least hash; sorted by hash, none twice.
std::vector<Fingerprint> prints_of(const std::string& source, int k = 12, int w = 6);
std::vector<uint64_t> fingerprints(const std::string& source, int k = 12, int w = 6);

/// Shared part of two sets of fingerprints, 0 to 1 (intersection over union).
double similarity(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b);

/// One student's file for a step.
struct Document {
  std::string student, step;
  std::vector<Fingerprint> prints;
};

/// Two files that share much, and the lines of the longest passage that they share.
struct Pair {
  std::string step, a, b;
  double share = 0;        ///< of the smaller file's own fingerprints
  std::string other_step;  ///< of b, where it differs
  int a_first = 0, a_last = 0, b_first = 0, b_last = 0;
};

/// Pairs of different students above `least`, across steps. `given`: fingerprints that all students have
/// (starters); they, and those of more than eight students and a fifth of them, count for no pair. Files with
/// fewer than `fewest` fingerprints of their own are left out.
std::vector<Pair> pairs_alike(std::vector<Document>, const std::vector<uint64_t>& given, double least = 0.6,
                              size_t fewest = 8);

}  // namespace dojo::grade
