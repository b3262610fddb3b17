#pragma once

namespace dojo::cli {

/// Registers `warpdojo bench grade`: how long a class of submissions takes.
void register_grade_bench();

}  // namespace dojo::cli
