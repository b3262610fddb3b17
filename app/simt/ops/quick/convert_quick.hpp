#pragma once
// Quick loops for cvt.
#include <optional>

#include "simt/decode/program.hpp"
#include "simt/ops/arithmetic/rounding.hpp"

namespace dojo::simt {

/// The handlers of a conversion from or to floats, without relu, satfinite and rna; none: the general path's.
std::optional<Handlers> quick_float_cvt(ptx::Type to, ptx::Type from, Round, bool integral, bool ftz,
                                        bool sat);

}  // namespace dojo::simt
