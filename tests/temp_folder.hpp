#pragma once
// A folder of a test's own. Its namespace is not `test`: each test program has one of that name.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace dojo::temporary {

/// A new folder, which is removed at the end, also when the test throws.
struct TempFolder {
  std::filesystem::path path = made();
  TempFolder() = default;
  ~TempFolder() {
    namespace fs = std::filesystem;
    std::error_code ec;
    fs::permissions(path, fs::perms::owner_all, fs::perm_options::add, ec);
    fs::remove_all(path, ec);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  /// Writes a file below the folder, making its parents.
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    const std::filesystem::path p = path / name;
    std::filesystem::create_directories(p.parent_path());
    std::ofstream(p, std::ios::binary) << text;
    return p;
  }

 private:
  static std::filesystem::path made() {
    std::string name = (std::filesystem::temp_directory_path() / "warpdojo-test-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    return name;
  }
};

}  // namespace dojo::temporary
