#pragma once
// Where programs are looked for.
#include <filesystem>
#include <vector>

namespace dojo {

/// The folders of $PATH, in order; empty entries are left out.
std::vector<std::filesystem::path> search_path();

}  // namespace dojo
