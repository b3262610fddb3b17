// Landlock by its system calls (libraries and headers of the distribution may be older than the kernel):
// nothing but the paths named can be opened, no TCP, no signals to and no abstract sockets of others.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.hpp"
#include "run/sandbox/sandbox.hpp"

namespace dojo::run {
namespace {

// As in the kernel's include/uapi/linux/landlock.h; the numbers are the same on every architecture.
constexpr long sys_create_ruleset = 444, sys_add_rule = 445, sys_restrict_self = 446;
struct RulesetAttr {
  uint64_t fs = 0, net = 0, scoped = 0;
};
struct __attribute__((packed)) PathBeneath {
  uint64_t allowed = 0;
  int32_t parent = -1;
};
/// Bits of an access; their names are functions elsewhere.
namespace may {
enum Access : uint64_t {
  execute = 1 << 0,
  write_file = 1 << 1,
  read_file = 1 << 2,
  read_dir = 1 << 3,
  remove_dir = 1 << 4,
  remove_file = 1 << 5,
  make_dir = 1 << 7,
  make_reg = 1 << 8,
  refer = 1 << 13,     // from version 2
  truncate = 1 << 14,  // 3
  all_of_1 = (1 << 13) - 1,
  ioctl_dev = 1 << 15,  // 5
};
}  // namespace may

long create_ruleset(const RulesetAttr* a, size_t size, uint32_t flags) {
  return syscall(sys_create_ruleset, a, size, flags);
}

void allow(int ruleset, const fs::path& path, uint64_t access) {
  const int fd = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (fd < 0) return;  // not there: nothing to allow
  struct stat s {};
  if (fstat(fd, &s) == 0 && !S_ISDIR(s.st_mode))
    access &= may::execute | may::write_file | may::read_file | may::truncate;
  const PathBeneath rule{access, fd};
  const long r = syscall(sys_add_rule, ruleset, 1 /* path beneath */, &rule, 0);
  const int error = errno;
  close(fd);
  if (r != 0) throw Error("Landlock refuses a rule for " + path.string() + ": " + std::strerror(error), 71);
}

}  // namespace

int landlock_version() {
  const long v = create_ruleset(nullptr, 0, 1 /* version */);
  return v > 0 ? int(v) : 0;
}

void apply_landlock(const SandboxPaths& paths) {
  const int version = landlock_version();
  if (version == 0) throw Error("this kernel has no Landlock", 71);
  RulesetAttr all;
  all.fs = may::all_of_1;
  if (version >= 2) all.fs |= may::refer;
  if (version >= 3) all.fs |= may::truncate;
  if (version >= 5) all.fs |= may::ioctl_dev;
  if (version >= 4) all.net = 3;     // bind and connect: none is allowed
  if (version >= 6) all.scoped = 3;  // abstract sockets, signals
  const size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const int ruleset = int(create_ruleset(&all, size, 0));
  if (ruleset < 0) throw Error(std::string("Landlock makes no rules: ") + std::strerror(errno), 71);
  const uint64_t reading = may::read_file | may::read_dir;
  const uint64_t writing = (reading | may::write_file | may::remove_dir | may::remove_file | may::make_dir |
                            may::make_reg | may::truncate) &
                           all.fs;
  for (const auto& p : paths.read) allow(ruleset, p, reading);
  for (const auto& p : paths.execute) allow(ruleset, p, reading | may::execute);
  for (const auto& p : paths.write) allow(ruleset, p, writing);
  allow(ruleset, "/dev/null", reading | may::write_file);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const long r = syscall(sys_restrict_self, ruleset, 0);
  const int error = errno;
  close(ruleset);
  if (r != 0) throw Error(std::string("Landlock can't be put on: ") + std::strerror(error), 71);
}

}  // namespace dojo::run
