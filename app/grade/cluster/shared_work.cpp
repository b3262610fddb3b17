#include "grade/cluster/shared_work.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "core/fingerprint.hpp"

namespace dojo::grade {

SharedWork::SharedWork(fs::path folder, const std::string& round, int task, int tasks)
    : folder_(std::move(folder)),
      claims_(folder_ / ("claims-" + round)),
      task_(task),
      tasks_(tasks),
      me_(fmt::format("task-{}", task)) {
  std::error_code ec;
  fs::create_directories(claims_, ec);
  if (!fs::is_directory(claims_, ec)) throw Error("cannot make " + claims_.string());
  for (const auto& e : fs::directory_iterator(claims_, ec))
    if (fs::read_symlink(e.path(), ec) == me_) from_before_.insert(e.path().filename().string());
}

bool SharedWork::claim(const std::string& unit) const {
  // A symbolic link is there with its words or not at all, on network file systems too.
  const fs::path at = claims_ / unit;
  if (symlink(me_.c_str(), at.c_str()) == 0) return true;
  const int why = errno;
  std::error_code ec;
  // Asked again over a network that had lost the first answer, the link that is there is this task's own.
  const fs::path owner = fs::read_symlink(at, ec);
  if (ec) throw Error("cannot write " + at.string() + ": " + std::strerror(why));
  return owner == me_;
}

bool SharedWork::others(const std::string& unit) const {
  std::error_code ec;
  const fs::path owner = fs::read_symlink(claims_ / unit, ec);
  return !ec && owner != me_;
}

std::set<std::string> SharedWork::all_others() const {
  std::set<std::string> all;
  std::error_code ec;
  for (const auto& e : fs::directory_iterator(claims_, ec))
    if (std::string name = e.path().filename().string(); !from_before_.count(name))
      all.insert(std::move(name));
  return all;
}

std::string SharedWork::unit(const std::string& kind, const std::string& of) {
  return fmt::format("{}-{:016x}", kind, dojo::fingerprint(of));
}

std::optional<std::string> SharedWork::load(const std::string& name) const {
  return read_file(folder_ / (name + ".json"));
}

void SharedWork::store(const std::string& name, const std::string& text) const {
  write_atomically(folder_ / (name + ".json"), text);
}

}  // namespace dojo::grade
