#include "grade/submission.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace dojo::grade {
namespace {

bool holds_labs(const fs::path& folder, const Catalog& catalog) {
  std::error_code ec;
  for (const Lab& lab : catalog.labs)
    for (const fs::path& base : {folder, folder / "labs"})
      if (fs::is_directory(base / lab.folder.filename(), ec)) return true;
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
  return found;
}

fs::path file_of(const Submission& s, const Step& step, const Lab& lab) {
  std::error_code ec;
  if (!fs::is_directory(s.folder, ec)) return s.folder.filename() == step.file ? s.folder : fs::path{};
  for (const fs::path& base : {s.folder, s.folder / "labs"}) {
    const fs::path file = base / lab.folder.filename() / step.file;
    if (fs::is_regular_file(file, ec) && inside(file, s.folder)) return file;
  }
  return {};
}

}  // namespace dojo::grade
