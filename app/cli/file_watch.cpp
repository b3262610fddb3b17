#include "cli/file_watch.hpp"

#include <sys/inotify.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <thread>

#include "run/reference_cache.hpp"

namespace dojo::cli {
namespace fs = std::filesystem;

namespace {
std::optional<std::string> settled_text(const fs::path& p) {
  auto text = run::read_file(p);
  // Truncated first, written next: give the editor a moment.
  for (int k = 0; k < 5 && text && text->empty(); ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    text = run::read_file(p);
  }
  return text;
}
}  // namespace

FileWatch::FileWatch(fs::path folder) : folder_(std::move(folder)) {
  inotify_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (inotify_ >= 0 && inotify_add_watch(inotify_, folder_.c_str(),
                                         IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_MODIFY) < 0) {
    close(inotify_);
    inotify_ = -1;
  }
  changed();
}

FileWatch::~FileWatch() {
  if (inotify_ >= 0) close(inotify_);
}

std::vector<fs::path> FileWatch::changed() {
  char drop[4096];
  while (inotify_ >= 0 && read(inotify_, drop, sizeof drop) > 0) {
  }
  std::vector<fs::path> news;
  std::error_code ec;
  for (const auto& e : fs::directory_iterator(folder_, ec)) {
    const fs::path p = e.path();
    if (p.extension() != ".cu") continue;
    const auto time = fs::last_write_time(p, ec);
    if (ec) continue;
    const auto bytes = fs::file_size(p, ec);
    if (ec) continue;
    auto it = seen_.find(p.filename().string());
    // A coarse clock may hide a second write of the same size: recent files are read anyway.
    const bool recent = fs::file_time_type::clock::now() - time < std::chrono::seconds(3);
    if (it != seen_.end() && it->second.time == time && it->second.bytes == bytes && !recent) continue;
    const auto text = settled_text(p);
    if (!text) continue;
    const size_t hash = std::hash<std::string>{}(*text);
    if (it != seen_.end() && it->second.hash != hash) news.push_back(p);
    seen_[p.filename().string()] = {time, bytes, hash};
  }
  return news;
}

void FileWatch::accept(const fs::path& p) {
  std::error_code ec;
  if (const auto text = run::read_file(p))
    seen_[p.filename().string()] = {fs::last_write_time(p, ec), text->size(),
                                    std::hash<std::string>{}(*text)};
}

}  // namespace dojo::cli
