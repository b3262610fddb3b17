#include "host/files.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/files/whole_file.hpp"

namespace dojo::host {
namespace fs = std::filesystem;

namespace {
std::string normal(const std::string& name) { return fs::path(name).lexically_normal().string(); }
}  // namespace

Files::~Files() {
  for (auto& [handle, s] : open_)
    if (s.changed) store(s);
}

std::string Files::path_of(const std::string& name) const {
  std::error_code ec;
  const fs::path root = fs::weakly_canonical(folder_, ec);
  const fs::path given(name);
  const fs::path path = fs::weakly_canonical(given.is_absolute() ? given : root / given, ec);
  const fs::path inside = path.lexically_relative(root);
  if (ec || inside.empty() || *inside.begin() == ".." || inside == ".") return {};
  return path.string();
}

bool Files::store(const Stream& s) const {
  if (folder_.empty()) return true;
  const std::string path = path_of(s.name);
  if (path.empty()) return false;
  std::ofstream out(path, std::ios::binary);
  out.write(s.bytes->data(), std::streamsize(s.bytes->size()));
  return bool(out);
}

uint64_t Files::open(const std::string& name, const std::string& mode, std::string* why) {
  Stream s;
  s.name = normal(name);
  const char kind = mode.empty() ? '?' : mode[0];
  const bool both = mode.find('+') != std::string::npos;
  if (kind != 'r' && kind != 'w' && kind != 'a') {
    *why = "the mode \"" + mode + "\" is none of r, w and a";
    return 0;
  }
  s.reads = kind == 'r' || both;
  s.writes = kind != 'r' || both;
  s.appends = kind == 'a';
  std::string path;
  if (has_folder()) {
    path = path_of(s.name);
    if (path.empty()) {
      *why = "it lies outside the folder of --files";
      return 0;
    }
  }
  auto at = content_.find(s.name);
  if (at == content_.end()) {
    std::error_code ec;
    auto bytes = std::make_shared<std::string>();
    const bool there = !path.empty() && fs::is_regular_file(path, ec);
    if (there && kind != 'w') {
      const uint64_t size = fs::file_size(path, ec);
      if (ec || size > most_bytes - total_) {
        *why = "a program's files may have 256 MiB together";
        return 0;
      }
      const std::string text = read_or_empty(path);
      bytes->assign(text.begin(), text.end());
      total_ += bytes->size();
    } else if (kind == 'r') {
      *why = has_folder() ? "the folder of --files has no such file"
                          : "a program's files live in memory; `play --files FOLDER` gives it a folder";
      return 0;
    }
    at = content_.emplace(s.name, std::move(bytes)).first;
  }
  s.bytes = at->second;
  if (kind == 'w') {
    total_ -= s.bytes->size();
    s.bytes->clear();
    s.changed = true;
  }
  open_[next_] = std::move(s);
  return next_++;
}

Files::Stream* Files::find(uint64_t handle) {
  auto at = open_.find(handle);
  return at == open_.end() ? nullptr : &at->second;
}

bool Files::flush(uint64_t handle) {
  Stream* s = find(handle);
  if (!s) return false;
  if (!s->changed) return true;
  s->changed = false;
  return store(*s);
}

bool Files::close(uint64_t handle) {
  const bool fine = flush(handle);
  if (Stream* s = find(handle)) {
    const auto bytes = std::move(s->bytes);
    open_.erase(handle);
    forget(bytes);
  }
  return fine;
}

void Files::forget(const std::shared_ptr<std::string>& bytes) {
  if (bytes.use_count() == 1) total_ -= bytes->size();
}

bool Files::remove(const std::string& name) {
  const std::string key = normal(name);
  const auto at = content_.find(key);
  const bool known = at != content_.end();
  if (known) {
    const auto bytes = std::move(at->second);
    content_.erase(at);
    forget(bytes);
  }
  std::error_code ec;
  const std::string path = has_folder() ? path_of(key) : "";
  return (!path.empty() && fs::is_regular_file(path, ec) && fs::remove(path, ec)) || known;
}

bool Files::write(Stream& s, const void* data, size_t n) {
  if (!s.writes) return false;
  if (s.appends) s.at = s.bytes->size();
  const size_t end = s.at + n;
  if (end > s.bytes->size()) {
    if (end - s.bytes->size() > most_bytes - total_) return false;
    total_ += end - s.bytes->size();
    s.bytes->resize(end);
  }
  if (n) std::memcpy(s.bytes->data() + s.at, data, n);
  s.at = end;
  s.changed = true;
  return true;
}

}  // namespace dojo::host
