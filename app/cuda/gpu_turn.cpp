#include "cuda/gpu_turn.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <map>
#include <mutex>

namespace dojo::cuda {

std::shared_ptr<GpuTurn> GpuTurn::take(const std::string& gpu) {
  // Two devices of one process share its turn: a process must never wait for itself.
  static std::mutex guard;
  static std::map<std::string, std::weak_ptr<GpuTurn>> held;
  const std::lock_guard lock(guard);
  if (auto mine = held[gpu].lock()) return mine;
  std::error_code ec;
  std::filesystem::path path = std::filesystem::temp_directory_path(ec);
  if (ec) return nullptr;
  path /= "warpdojo-" + gpu + ".turn";
  // The first process makes the file; to read it is enough to lock it. A link in its place is not followed.
  int file = open(path.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (file < 0) file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return nullptr;
  while (flock(file, LOCK_EX) != 0)
    if (errno != EINTR) {
      close(file);
      return nullptr;
    }
  std::shared_ptr<GpuTurn> turn(new GpuTurn(file));
  held[gpu] = turn;
  return turn;
}

GpuTurn::~GpuTurn() { close(file_); }

}  // namespace dojo::cuda
