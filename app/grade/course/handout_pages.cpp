#include "grade/course/handout_pages.hpp"

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "core/paths.hpp"

namespace dojo::grade {
namespace {

/// student.md comes first: the others are what it, the README and the program's own messages name.
constexpr const char* student_pages[] = {"student.md",    "labs.md",      "glossary.md",  "findings.md",
                                         "cli.md",        "host-code.md", "exec.md",      "exec-results.md",
                                         "standalone.md", "clang.md",     "time-model.md"};

/// The text without links to files that are not in `there`; their words stay. Pictures that its links show
/// are added to `pictures`.
std::string without_dead_links(const std::string& text, const std::set<std::string>& there,
                               std::set<std::string>& pictures) {
  static const std::regex link(R"((!?)\[([^\]]*)\]\(([^)# ]*)(#[^) ]*)?\))");
  std::string out;
  auto at = text.begin();
  for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
    const std::smatch& m = *it;
    const std::string target = m[3];
    out.append(at, m[0].first);
    at = m[0].second;
    const bool picture = m[1].length() > 0;
    if (picture) pictures.insert(target);
    const bool alive =
        picture || target.empty() || target.find("://") != std::string::npos || there.count(target);
    out += alive ? m[0].str() : m[2].str();
  }
  out.append(at, text.end());
  return out;
}

}  // namespace

void copy_student_pages(const fs::path& docs, const fs::path& to) {
  const std::set<std::string> there(std::begin(student_pages), std::end(student_pages));
  std::set<std::string> pictures;
  std::error_code ec;
  fs::create_directories(to / "pictures", ec);
  for (const std::string& page : there) {
    if (!fs::exists(docs / page, ec)) continue;
    if (!write_atomically(to / page, without_dead_links(read_or_empty(docs / page), there, pictures)))
      throw Error("cannot write " + (to / page).string());
  }
  for (const std::string& picture : pictures) {
    fs::copy_file(docs / picture, to / picture, fs::copy_options::overwrite_existing, ec);
    if (ec) throw Error("cannot copy " + (docs / picture).string() + ": " + ec.message());
  }
}

std::string handout_readme(const std::string& text, const Step& first) {
  const std::pair<std::string, std::string> words[] = {{"{lab}", first.lab}, {"{step}", first.id()}};
  /// Where a command of the first steps ends, before its comment; 0: the line is none.
  const auto command_end = [](const std::string& line) {
    const size_t comment = line.starts_with("./warpdojo") ? line.find(" #") : std::string::npos;
    return comment == std::string::npos ? 0 : line.find_last_not_of(' ', comment) + 1;
  };
  std::vector<std::string> lines;
  size_t longest = 0;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    for (const auto& [key, value] : words)
      for (size_t at; (at = line.find(key)) != std::string::npos;) line.replace(at, key.size(), value);
    longest = std::max(longest, command_end(line));
    lines.push_back(std::move(line));
  }
  std::string out;
  for (std::string& line : lines) {
    if (const size_t end = command_end(line); end > 0)
      line = line.substr(0, end) + std::string(longest - end + 3, ' ') + line.substr(line.find(" #"));
    out += line + "\n";
  }
  return out;
}

}  // namespace dojo::grade
