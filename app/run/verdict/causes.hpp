#pragma once
// The cause before what follows from it: which finding a student reads first, and results that no kernel
// wrote because none was launched.
#include <string>
#include <string_view>
#include <vector>

#include "core/report.hpp"

namespace dojo::run {

/// A copy that host code asks for in the wrong direction, or of memory that is not there, is the cause of
/// what kernels then read: such errors come first. The others keep their order.
void put_causes_first(std::vector<Diagnostic>&);

/// Warns at the entry function if the results are wrong, nothing wrote them, and nothing was launched.
void note_missing_launch(RunReport&, const std::string& entry, const std::string& file,
                         std::string_view source);

}  // namespace dojo::run
