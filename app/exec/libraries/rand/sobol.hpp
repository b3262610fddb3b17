#pragma once
// Sobol's quasi-random sequence in the order of Antonov and Saleev: the next point differs from the last one
// in one direction number per dimension. Direction numbers of the first ten dimensions are those of Joe and
// Kuo (2008, new-joe-kuo-6). Further ones have the next primitive polynomials and initial numbers that are
// made here: every dimension by itself is spread evenly, pairs of high dimensions less so than cuRAND's.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dojo::libraries {

class Sobol {
 public:
  explicit Sobol(unsigned dimensions);
  /// `count` values of a dimension from point `first` on, as fractions of 2^32.
  std::vector<uint32_t> values(unsigned dimension, uint64_t first, std::size_t count) const;

 private:
  std::vector<std::vector<uint32_t>> directions_;  ///< by dimension: 32 numbers
};

}  // namespace dojo::libraries
