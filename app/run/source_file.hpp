#pragma once
// A source as a student names it: a regular file of at most 4 MiB. A device, a pipe or a larger file is
// refused before it is read.
#include <filesystem>
#include <string>

namespace dojo::run {

constexpr uintmax_t largest_source = 4 << 20;  ///< bytes

/// Its text. `shown`: how messages name it. Throws Error.
std::string read_source(const std::filesystem::path&, const std::string& shown);

}  // namespace dojo::run
