#include "run/source_file.hpp"

#include "core/error.hpp"
#include "core/files/whole_file.hpp"

namespace dojo::run {
namespace fs = std::filesystem;

std::string read_source(const fs::path& file, const std::string& shown) {
  std::error_code ec;
  if (!fs::exists(file, ec)) throw Error("there is no file " + shown);
  if (fs::is_directory(file, ec)) throw Error(shown + " is a folder");
  if (!fs::is_regular_file(file, ec)) throw Error(shown + " is not a file");
  if (fs::file_size(file, ec) > largest_source) throw Error(shown + " is larger than 4 MiB");
  auto text = read_file(file);
  if (!text) throw Error("cannot read " + shown);
  return std::move(*text);
}

}  // namespace dojo::run
