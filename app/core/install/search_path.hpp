#pragma once
// Where programs are looked for.
#include <filesystem>
#include <string>
#include <vector>

namespace dojo {

/// The folders of $PATH, in order; empty entries are left out.
std::vector<std::filesystem::path> search_path();

/// The program of that name that execvp finds, or one in the folders to be looked at before or behind those
/// of $PATH; a name with '/' is a path already. Empty where there is none that may be executed.
std::filesystem::path find_program(const std::string& name,
                                   const std::vector<std::filesystem::path>& before = {},
                                   const std::vector<std::filesystem::path>& behind = {});

}  // namespace dojo
