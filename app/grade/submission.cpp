#include "grade/submission.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/error.hpp"
#include "grade/row.hpp"

namespace dojo::grade {
namespace {

constexpr off_t largest = 4 << 20;

bool holds_labs(const fs::path& folder, const Catalog& catalog) {
  std::error_code ec;
  for (const Lab& lab : catalog.labs)
    for (const fs::path& base : {folder, folder / "labs"})
      if (fs::is_directory(base / lab.folder.filename(), ec)) return true;
  for (const Lab& lab : catalog.labs)
    for (const Step& step : lab.steps)
      if (fs::is_regular_file(folder / step.file, ec)) return true;
  return false;
}

/// True when the file, links resolved, lies below the folder.
bool inside(const fs::path& file, const fs::path& folder) {
  std::error_code ec;
  const fs::path real = fs::canonical(file, ec);
  if (ec) return false;
  const fs::path relative = real.lexically_relative(fs::canonical(folder, ec));
  return !ec && !relative.empty() && *relative.begin() != "..";
}

std::string name_of(const fs::path& folder) {
  const fs::path clean = fs::absolute(folder).lexically_normal();
  return clean.filename().empty() ? clean.parent_path().filename().string() : clean.filename().string();
}

/// Where a submission's files are, links resolved.
fs::path home_of(const Submission& s) {
  std::error_code ec;
  const fs::path real = fs::weakly_canonical(s.folder, ec);
  return fs::is_directory(real, ec) ? real : real.parent_path();
}

/// Rows are told apart by the student's name as exports show it. Two folders of one name (of two sections,
/// say) become "ada" and "ada (2)"; what was named twice on the command line is there once.
std::vector<Submission> told_apart(const std::vector<Submission>& found) {
  std::vector<Submission> out;
  std::set<fs::path> seen;
  std::map<std::string, fs::path> homes;  // by name
  for (Submission s : found) {
    std::error_code ec;
    if (!seen.insert(fs::weakly_canonical(s.folder, ec)).second) continue;
    const std::string plain = clean_text(s.student, 200);
    const fs::path home = home_of(s);
    for (int k = 1;; ++k) {
      s.student = k == 1 ? plain : plain + " (" + std::to_string(k) + ")";
      // Files of one folder are one student's.
      if (homes.emplace(s.student, home).first->second == home) break;
    }
    out.push_back(std::move(s));
  }
  return out;
}

}  // namespace

std::vector<Submission> find_submissions(const std::vector<std::string>& paths, const Catalog& catalog) {
  std::vector<Submission> found;
  for (const auto& text : paths) {
    const fs::path path = text;
    std::error_code ec;
    if (!fs::exists(path, ec)) throw Error("there is no " + text);
    if (!fs::is_directory(path, ec)) {
      found.push_back({fs::absolute(path).parent_path().filename().string(), path});
      continue;
    }
    if (holds_labs(path, catalog)) {
      found.push_back({name_of(path), path});
      continue;
    }
    std::vector<fs::path> folders;
    for (const auto& e : fs::directory_iterator(path, ec))
      if (e.is_directory(ec) && !e.is_symlink(ec) && e.path().filename().string()[0] != '.')
        folders.push_back(e.path());
    std::sort(folders.begin(), folders.end());
    // A student's folder without any lab still gets its rows: nothing was handed in.
    for (const auto& f : folders) found.push_back({name_of(f), f});
    if (folders.empty())
      throw Error(text + " holds no submissions: expected STUDENT/" +
                  (catalog.labs.empty() ? std::string("LAB") : catalog.labs[0].folder.filename().string()) +
                  "/STEP.cu");
  }
  return told_apart(found);
}

HandedIn read_handed_in(const Submission& s, const Step& step, const Lab& lab) {
  HandedIn h;
  h.name = lab.folder.filename().string() + "/" + step.file;
  const fs::path file = file_of(s, step, lab);
  if (file.empty()) {
    h.why_not = "no " + h.name + " was handed in";
    std::error_code ec;
    for (const fs::path& base : {s.folder, s.folder / "labs"}) {
      const fs::path there = base / lab.folder.filename() / step.file;
      const auto status = fs::symlink_status(there, ec);
      if (fs::is_symlink(status))
        h.why_not = h.name + " is a link that leads out of the submission, or nowhere";
      else if (fs::exists(status))
        h.why_not = h.name + " is not a regular file";
    }
    return h;
  }
  // O_NONBLOCK: should it have become a pipe by now, opening it must not wait for a writer.
  const int fd = open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  struct stat status {};
  if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
    h.why_not = h.name + " can't be read";
    if (fd >= 0) close(fd);
    return h;
  }
  if (status.st_size > largest) {
    h.why_not = h.name + " is larger than 4 MiB: is it a CUDA source file?";
    close(fd);
    return h;
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
  if (!h.found) h.why_not = h.name + " can't be read";
  return h;
}

fs::path file_of(const Submission& s, const Step& step, const Lab& lab) {
  std::error_code ec;
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
