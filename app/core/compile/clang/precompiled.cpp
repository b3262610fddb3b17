#include "core/compile/clang/precompiled.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>

#include "core/compile/child.hpp"
#include "core/compile/clang/clang_messages.hpp"
#include "core/files/whole_file.hpp"
#include "core/fingerprint.hpp"
#include "core/paths.hpp"

namespace dojo::compile_detail {
namespace fs = std::filesystem;
namespace {

constexpr size_t most_kept =
    32;  ///< files of 1.2 MB: two per architecture, per version of clang and of the headers
constexpr int make_limit_s = 60;

/// Only this user (or root) may have written it.
bool ours_alone(const struct stat& s) {
  return (s.st_uid == geteuid() || s.st_uid == 0) && (s.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// "PATH SIZE TIME": tells a file that changed, as make does.
std::string state_of(const std::string& path) {
  struct stat s {};
  if (stat(path.c_str(), &s) != 0) return path + " -\n";
  return fmt::format("{} {} {}.{:09}\n", path, s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec);
}

/// All files below the folders, in one order.
std::vector<std::string> files_below(const std::vector<std::string>& folders) {
  std::set<std::string> all;
  for (const std::string& folder : folders) {
    std::error_code ec;
    for (fs::recursive_directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec))
      if (it->is_regular_file(ec)) all.insert(it->path().string());
  }
  return {all.begin(), all.end()};
}

/// A fingerprint of the headers' states and contents. They are read again when a state changed: an archive
/// can bring another content with the same time and size.
uint64_t headers_print(const std::vector<std::string>& folders) {
  static std::mutex mutex;
  static std::string known;
  static uint64_t print = 0;
  const std::vector<std::string> files = files_below(folders);
  std::string states;
  for (const std::string& f : files) states += state_of(f);
  const std::lock_guard lock(mutex);
  if (states == known) return print;
  print = fingerprint(states);
  for (const std::string& f : files) print = fingerprint(read_or_empty(f), print);
  known = std::move(states);
  return print;
}

/// clang is a small program; what it does lies in libraries beside it.
std::string clang_state(const std::string& clang) {
  std::string all = state_of(clang);
  for (const char* library : {"libclang-cpp.so.19.1", "libLLVM.so.19.1"})
    all += state_of((fs::path(clang).parent_path().parent_path() / "lib" / library).string());
  return all;
}

/// Removes the oldest beyond `most_kept`, and what a killed process left half written.
void remove_old(const fs::path& folder) {
  std::error_code ec;
  std::vector<std::pair<fs::file_time_type, fs::path>> made;
  const auto now = fs::file_time_type::clock::now();
  for (fs::directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec)) {
    std::error_code gone;
    const auto time = it->last_write_time(gone);
    if (gone) continue;
    if (it->path().extension() == ".pch")
      made.emplace_back(time, it->path());
    else if (now - time > std::chrono::hours(1))
      fs::remove(it->path(), gone);
  }
  if (made.size() <= most_kept) return;
  std::sort(made.begin(), made.end());
  made.resize(made.size() - most_kept);
  for (const auto& [time, path] : made) fs::remove(path, ec);
}

/// A name of its own first, then a rename: several processes may make the same file, and none reads half of
/// one.
bool make(const fs::path& file, const std::string& header, std::vector<std::string> words) {
  static std::atomic<int> made = 0;
  const std::string part = fmt::format("{}.{}-{}.part", file.string(), getpid(), ++made);
  const int fd = open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return false;  // read-only, full, or enclosed
  close(fd);
  std::replace(words.begin(), words.end(), std::string("cuda"), std::string("cuda-header"));
  words.insert(words.end(), {"-emit-pch", "-fpch-instantiate-templates", "-o", part, header});
  std::string log;
  const bool good = run_child(words, file.parent_path().string(), make_limit_s, &log) == 0 &&
                    chmod(part.c_str(), 0600) == 0 && std::rename(part.c_str(), file.c_str()) == 0;
  if (!good) unlink(part.c_str());
  remove_old(file.parent_path());
  return good;
}

}  // namespace

fs::path precompiled_folder() {
  const fs::path cache = cache_folder();
  if (cache.empty()) return {};
  const fs::path folder = cache / "headers";
  mkdir(folder.c_str(), 0700);
  struct stat s {};
  return lstat(folder.c_str(), &s) == 0 && S_ISDIR(s.st_mode) && ours_alone(s) ? folder : fs::path();
}

std::string precompiled(const std::string& header, const std::vector<std::string>& words,
                        const std::vector<std::string>& folders) {
  const fs::path folder = precompiled_folder();
  if (folder.empty() || words.empty()) return {};
  std::string content = header + "\n" + clang_state(words[0]);
  for (const std::string& w : words) content += w + "\n";
  const uint64_t key = fingerprint(content, headers_print(folders));
  const fs::path file = folder / fmt::format("{:016x}.pch", key);
  struct stat s {};
  const auto there = [&] { return lstat(file.c_str(), &s) == 0 && S_ISREG(s.st_mode) && ours_alone(s); };
  if (there()) return file.string();
  static std::mutex mutex;
  static std::set<uint64_t> failed;  // once is enough: each attempt takes as long as a compilation
  {
    const std::lock_guard lock(mutex);
    if (failed.count(key)) return {};
  }
  if (make(file, header, words) && there()) return file.string();
  const std::lock_guard lock(mutex);
  failed.insert(key);
  return {};
}

bool blames_precompiled(int status, const std::string& log) {
  if (status == 0 || status == -2) return false;
  return status != 1 || !names_a_line(log);
}

}  // namespace dojo::compile_detail
