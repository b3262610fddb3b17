#include "grade/submission.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "grade/row.hpp"

namespace dojo::grade {
namespace {

constexpr off_t largest = 4 << 20;

/// True when the file, links resolved, lies below the folder.
bool inside(const fs::path& file, const fs::path& folder) {
  std::error_code ec;
  const fs::path real = fs::canonical(file, ec);
  if (ec) return false;
  const fs::path relative = real.lexically_relative(fs::canonical(folder, ec));
  return !ec && !relative.empty() && *relative.begin() != "..";
}

/// Reads the file, or says why not.
void read_into(HandedIn& h, const fs::path& file) {
  // O_NONBLOCK: should it have become a pipe by now, opening it must not wait for a writer.
  const int fd = open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  struct stat status {};
  if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
    h.why_not = h.name + " can't be read.";
    if (fd >= 0) close(fd);
    return;
  }
  if (status.st_size > largest) {
    h.why_not = h.name + " is larger than 4 MiB: is it a CUDA source file?";
    close(fd);
    return;
  }
  h.text.resize(size_t(status.st_size));
  size_t at = 0;
  while (at < h.text.size()) {
    const ssize_t n = ::read(fd, h.text.data() + at, h.text.size() - at);
    if (n <= 0) break;
    at += size_t(n);
  }
  close(fd);
  h.found = at == h.text.size();
  if (!h.found) h.why_not = h.name + " can't be read.";
}

/// Why there is no file of this name: what lies there under other names, and what was not read.
std::string not_found(const Submission& s, const std::string& name) {
  // What was not read may hold it.
  std::string why = "No " + name + (s.unread.empty() ? " was handed in." : " was found.");
  constexpr size_t most = 3;
  const auto first_of = [&](const std::vector<std::string>& all, const char* between) {
    std::string words;
    for (size_t i = 0; i < all.size() && i < most; ++i) words += (i ? between : "") + all[i];
    return words + (all.size() > most ? " and " + std::to_string(all.size() - most) + " more" : "");
  };
  if (!s.unknown.empty()) why += " Not recognised: " + first_of(s.unknown, ", ") + ".";
  if (!s.unread.empty()) why += " " + first_of(s.unread, ". ") + ".";
  return clean_text(why, 600);
}

}  // namespace

HandedIn read_handed_in(const Submission& s, const Step& step, const Lab& lab) {
  HandedIn h;
  h.name = lab.folder.filename().string() + "/" + step.file;
  const fs::path file = file_of(s, step, lab);
  if (file.empty()) {
    h.why_not = not_found(s, h.name);
    std::error_code ec;
    for (const fs::path& base : {s.folder, s.folder / "labs"}) {
      if (s.folder.empty()) break;
      const fs::path there = base / lab.folder.filename() / step.file;
      const auto status = fs::symlink_status(there, ec);
      if (fs::is_symlink(status))
        h.why_not = h.name + " is a link that leads out of the submission, or nowhere.";
      else if (fs::exists(status))
        h.why_not = h.name + " is not a regular file.";
    }
    return h;
  }
  read_into(h, file);
  return h;
}

HandedIn read_handed_in(const Submission& s, const std::string& path) {
  HandedIn h;
  h.name = path;
  std::error_code ec;
  const fs::path file = fs::is_directory(s.folder, ec) ? s.folder / path : s.folder;
  if (s.folder.empty() || fs::path(path).is_absolute() || !fs::is_regular_file(file, ec) ||
      (file != s.folder && !inside(file, s.folder)) || file.filename() != fs::path(path).filename())
    h.why_not = not_found(s, path);
  else
    read_into(h, file);
  return h;
}

fs::path file_of(const Submission& s, const Step& step, const Lab& lab) {
  std::error_code ec;
  if (const auto it = s.files.find(step.id()); it != s.files.end()) return it->second;
  if (s.folder.empty()) return {};
  if (!fs::is_directory(s.folder, ec)) return s.folder.filename() == step.file ? s.folder : fs::path{};
  for (const fs::path& base : {s.folder, s.folder / "labs"}) {
    const fs::path file = base / lab.folder.filename() / step.file;
    if (fs::is_regular_file(file, ec) && inside(file, s.folder)) return file;
  }
  // Uploaded without folders.
  if (const fs::path file = s.folder / step.file; fs::is_regular_file(file, ec) && inside(file, s.folder))
    return file;
  return {};
}

}  // namespace dojo::grade
