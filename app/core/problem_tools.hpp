#pragma once
// What most labs' problem.cpp need: reading sizes with a clear message, and buffers with content.
#include <string>
#include <vector>

#include "core/problem.hpp"

namespace dojo {

/// The extent `name` of a size, from 0 to `most`, and a multiple of the step's parameter "multiple_of" if it
/// has one. Throws Error saying what is wrong and what fits.
int64_t extent(const Step&, const Size&, const std::string& name, int64_t most);

/// An input of floats, uniform in [lo, hi).
Buffer uniform_buffer(std::string name, std::vector<int64_t> shape, Random&, float lo, float hi);
/// The same in double, with all 53 bits random.
Buffer uniform_buffer_f64(std::string name, std::vector<int64_t> shape, Random&, double lo, double hi);
/// An output to be compared with `expected`; `tolerance` holds one value for all or one an element.
Buffer output_buffer(std::string name, Elem, std::vector<int64_t> shape, std::vector<double> expected,
                     std::vector<double> tolerance);
/// An output that Problem::check judges itself.
Buffer unchecked_output(std::string name, Elem, std::vector<int64_t> shape);

}  // namespace dojo
