#pragma once
// Lines over a file descriptor, and children at the other end of one.
#include <sys/types.h>

#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/files/descriptor.hpp"

namespace dojo::run {

/// Reads and writes whole lines. Reading is for one thread; writing is safe from several.
class Channel {
 public:
  Channel(int in, int out) : in_(in), out_(out) {}
  /// The next line without its end, or nothing on a timeout (milliseconds; -1: none) or at the end.
  std::optional<std::string> read(int timeout_ms = -1);
  bool ended() const { return ended_; }
  /// False when the other end is gone.
  bool write(const std::string& line);

 private:
  int in_, out_;
  bool ended_ = false;
  std::string pending_;
  size_t searched_ = 0;
  std::mutex writing_;
};

/// Two connected descriptors, closed on exec. Throws Error.
std::pair<Descriptor, Descriptor> socket_pair();

struct Child {
  pid_t pid = -1;
  bool alive();         ///< reaps it when it has ended
  void kill();          ///< at once, and reaps
  int exit_signal = 0;  ///< once ended
  int exit_status = 0;
};

/// Starts `program args...` in a process group of its own with `socket` as standard input and output and,
/// when `extra` >= 0, that descriptor as number 3; `environment` is added to this process's, or
/// (`alone`) to the few variables of it that say where programs, libraries and folders are. Throws Error.
Child spawn(const std::string& program, const std::vector<std::string>& args, int socket, int extra,
            const std::vector<std::string>& environment, bool alone = false);

/// For the first lines of a child: no core dumps, no new privileges, lower priority; standard input and
/// output kept for the channel alone (the returned descriptors), so that no library can print into it.
std::pair<int, int> harden_child();
/// Ends this process through `too_much` when its resident memory passes a share of the machine's. Looks every
/// 50 ms from a thread of its own.
void watch_memory(uint64_t limit_bytes, void (*too_much)(uint64_t limit_bytes));
/// What a worker may use: 3/4 of the machine's memory, at most 16 GiB.
uint64_t memory_limit();

}  // namespace dojo::run
