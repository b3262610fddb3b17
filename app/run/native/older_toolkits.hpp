#pragma once
// `--build` of projects that were written for a CUDA toolkit before 13: an `nvcc` in front of the toolkit's
// own, which calls that first as it is asked. Only if it refuses an architecture, or a name that CUDA 13
// removed, it is called again without that architecture, or with a header that has these names. Each is said
// on standard error.
#include <filesystem>

namespace dojo::run {

/// A folder below the user's cache that looks like the toolkit, with this nvcc in its `bin`. It stays,
/// because build folders of CMake remember the compiler's path. The toolkit's own folder where nothing can be
/// written.
std::filesystem::path toolkit_with_older_names();

}  // namespace dojo::run
