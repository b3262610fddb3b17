#include "core/text/error_words.hpp"

#include <filesystem>
#include <new>

#include "core/device.hpp"
#include "core/error.hpp"

namespace dojo {

std::string error_words(const std::exception& e) {
  if (dynamic_cast<const Error*>(&e) || dynamic_cast<const RunStopped*>(&e)) return e.what();
  if (dynamic_cast<const std::bad_alloc*>(&e)) return "out of memory";
  if (auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&e)) {
    const std::string where = file->path1().empty() ? "a file" : file->path1().string();
    return "cannot use " + where + ": " + file->code().message();
  }
  return "internal error; please report it with the file and the command that led to it";
}

}  // namespace dojo
