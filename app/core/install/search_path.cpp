#include "core/install/search_path.hpp"

#include <cstdlib>
#include <sstream>
#include <string>

namespace dojo {

std::vector<std::filesystem::path> search_path() {
  std::vector<std::filesystem::path> folders;
  const char* path = std::getenv("PATH");
  std::istringstream all(path ? path : "");
  for (std::string one; std::getline(all, one, ':');)
    if (!one.empty()) folders.emplace_back(one);
  return folders;
}

}  // namespace dojo
