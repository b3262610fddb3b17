#pragma once

namespace dojo::cli {

/// Registers `warpdojo bench compile`: how long the clang front end takes for a file.
void register_compile_bench();

}  // namespace dojo::cli
