#pragma once
// Hidden inputs: seeds and sizes that follow from a course's secret, the same for every student.
#include <cstdint>
#include <string>

#include "core/labs/lab.hpp"

namespace dojo::grade {

/// The i-th seed of a step. Without a secret: 1, 2, 3, ...
uint64_t hidden_seed(const std::string& secret, const std::string& step, int i);
/// A size near the step's default, smaller or larger by up to an eighth in each extent, that keeps to the
/// step's "multiple_of" parameters. An extent that has a bound ("most_cols") gets only smaller. Without a
/// secret: the default.
Size hidden_size(const std::string& secret, const Step&, int i);

}  // namespace dojo::grade
