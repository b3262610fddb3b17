#include "core/install/search_path.hpp"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace dojo {

std::vector<std::filesystem::path> search_path() {
  std::vector<std::filesystem::path> folders;
  const char* path = std::getenv("PATH");
  std::istringstream all(path ? path : "");
  for (std::string one; std::getline(all, one, ':');)
    if (!one.empty()) folders.emplace_back(one);
  return folders;
}

std::filesystem::path find_program(const std::string& name, const std::vector<std::filesystem::path>& before,
                                   const std::vector<std::filesystem::path>& behind) {
  namespace fs = std::filesystem;
  std::error_code ec;
  const auto runs = [&](const fs::path& p) {
    return ::access(p.c_str(), X_OK) == 0 && !fs::is_directory(p, ec);
  };
  if (name.find('/') != std::string::npos) return runs(name) ? fs::absolute(name) : fs::path();
  std::vector<fs::path> folders = before;
  for (const auto& more : {search_path(), behind}) folders.insert(folders.end(), more.begin(), more.end());
  for (const fs::path& folder : folders)
    if (runs(folder / name)) return fs::absolute(folder / name);
  return {};
}

}  // namespace dojo
