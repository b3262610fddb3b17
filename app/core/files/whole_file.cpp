#include "core/files/whole_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace dojo {
namespace fs = std::filesystem;

std::optional<std::string> read_file(const fs::path& p) {
  std::error_code ec;
  if (fs::is_directory(p, ec)) return std::nullopt;  // a stream would read it as an empty file
  std::ifstream in(p, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream out;
  out << in.rdbuf();
  if (in.bad()) return std::nullopt;
  return std::move(out).str();
}

std::string replace_file(const fs::path& file, const std::string& text) {
  static std::atomic<unsigned> serial{0};
  std::error_code ec;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), ec);
  fs::path target = fs::is_symlink(file, ec) ? fs::canonical(file, ec) : file;
  if (ec || target.empty()) target = file;
  const fs::path temporary =
      target.string() + ".tmp" + std::to_string(getpid()) + "." + std::to_string(serial++);
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return file.string() + " can't be written: " + std::strerror(errno);
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::write(fd, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += size_t(n);
  }
  bool ok = done == text.size() && ::fsync(fd) == 0;
  int error = errno;
  ok = ::close(fd) == 0 && ok;
  if (ok) {
    if (const auto status = fs::status(target, ec); !ec && fs::exists(status))
      fs::permissions(temporary, status.permissions(), ec);
    fs::rename(temporary, target, ec);
    if (!ec) return "";
    error = ec.value();
  }
  fs::remove(temporary, ec);
  return file.string() + " can't be written: " + std::strerror(error);
}

}  // namespace dojo
