#pragma once
// Which operations of its own block an operation waits for. Rules that order a block look at these alone:
// what it waits for of earlier blocks (~i in ShapeOp::sources) stays as it is.
#include <ranges>

#include "ptx/code_shape.hpp"

namespace dojo::ptx {

/// The entries of op.sources that are operations of the same block. `op` must outlive the result.
template <class Op>
auto block_sources(Op& op) {
  return op.sources | std::views::filter([](int32_t s) { return s >= 0; });
}

}  // namespace dojo::ptx
