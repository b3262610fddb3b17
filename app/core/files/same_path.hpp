#pragma once
// Files on the disk by their paths.
#include <filesystem>

namespace dojo {

/// Do both paths, however they are written, name one file? It need not be there yet.
bool same_path(const std::filesystem::path&, const std::filesystem::path&);

}  // namespace dojo
