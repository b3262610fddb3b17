// Rules that hold for the text of the whole checkout: comparisons in tests, formatting, columns, sizes of
// files and folders, early returns. Each list of exceptions must shrink: an entry that is no longer needed
// fails.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "../left_out.hpp"
#include "../whole_suite.hpp"
#include "core/paths.hpp"
#include "shell.hpp"

using namespace dojo;
namespace fs = std::filesystem;

namespace {

constexpr size_t kColumns = 110;
constexpr int kFilesPerFolder = 32;
constexpr int kLinesPerFile = 400;

/// Folders of app/ that hold more files than that, with how many they may hold.
const std::map<std::string, int> kLargeFolders = {};

/// C++ that clang-format formats, by its path from the root.
std::vector<std::string> cpp_files() {
  const std::set<std::string> of_app = {".cpp", ".hpp", ".h", ".cc", ".cu", ".cuh"},
                              of_tests = {".cpp", ".hpp", ".cc"};
  const fs::path root = source_root();
  std::vector<std::string> files;
  for (const char* top : {"app", "tests", "labs"})
    for (const auto& e : fs::recursive_directory_iterator(root / top)) {
      const std::string name = fs::relative(e.path(), root).string(), kind = e.path().extension().string();
      if (*top == 'a'   ? of_app.count(kind)
          : *top == 't' ? of_tests.count(kind)
                        : e.path().filename() == "problem.cpp")
        files.push_back(name);
    }
  std::sort(files.begin(), files.end());
  return files;
}

/// Calls `see` with every line of every C++ file below `top`.
void for_lines(const std::string& top,
               const std::function<void(const std::string& where, const std::string& line)>& see) {
  for (const std::string& name : cpp_files()) {
    if (!name.starts_with(top)) continue;
    std::ifstream in(source_root() / name);
    int number = 0;
    for (std::string line; std::getline(in, line);) see(name + ":" + std::to_string(++number), line);
  }
}

/// Lines of each C++ and CUDA file below `top`, by its path from the root.
std::map<std::string, int> lines_of_files(const char* top) {
  const std::set<std::string> kinds = {".cpp", ".hpp", ".h", ".cc", ".cu", ".cuh"};
  std::map<std::string, int> lines;
  for (const auto& e : fs::recursive_directory_iterator(source_root() / top)) {
    if (!e.is_regular_file() || !kinds.count(e.path().extension().string())) continue;
    std::ifstream in(e.path());
    int& n = lines[fs::relative(e.path(), source_root()).string()];
    for (std::string line; std::getline(in, line);) ++n;
  }
  return lines;
}

/// Characters of UTF-8 text, each one column wide.
size_t columns(const std::string& line) {
  return size_t(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

/// What an early return of a test may depend on: functions that print a message first, and filters that the
/// caller sets ($WARPDOJO_LAB).
bool says_so(const std::string& line) {
  for (const char* f : {"display()", "left_out_without", "wanted("})
    if (line.find(f) != line.npos) return true;
  return false;
}
bool returns_early(const std::string& line) {
  static const std::regex early(R"(^  if \(.*\) return;.*)");
  return std::regex_match(line, early) && !says_so(line);
}

/// One sentence per folder that has too many files, and per exception that is not needed.
std::vector<std::string> folder_complaints(const std::map<std::string, int>& files,
                                           const std::map<std::string, int>& exceptions) {
  std::vector<std::string> all;
  for (const auto& [folder, count] : files) {
    const auto e = exceptions.find(folder);
    const int most = e == exceptions.end() ? kFilesPerFolder : e->second;
    if (count > most)
      all.push_back(folder + " has " + std::to_string(count) + " files, at most " + std::to_string(most) +
                    " are allowed: give it rooms");
  }
  for (const auto& [folder, most] : exceptions) {
    const auto f = files.find(folder);
    if (f == files.end() || f->second <= kFilesPerFolder)
      all.push_back(folder + " needs no exception any more: remove it");
  }
  return all;
}

}  // namespace

TEST_CASE("house rules: tests compare with near.hpp, whose bounds mean what they say") {
  const std::string forbidden = std::string("Appr") + "ox(";  // so that this file doesn't name it
  for_lines("tests/", [&](const std::string& where, const std::string& line) {
    if (line.find(forbidden) != line.npos)
      FAIL_CHECK(where << ": " << forbidden << "x) adds its epsilon to one; say within() or near() instead");
  });
}

TEST_CASE("house rules: a test that returns early says why") {
  CHECK(returns_early("  if (made.status != 0) return;  // no git here"));
  CHECK_FALSE(returns_early("  if (dojo::needs::left_out_without(\"git\")) return;"));
  CHECK_FALSE(returns_early("    if (!ok) return;"));  // inside of a loop or a lambda
  bool raw = false;                                    // in a raw string: the text of a kernel
  for_lines("tests/", [&](const std::string& where, const std::string& line) {
    if (line.find("R\"") != line.npos) raw = true;
    if (raw) {
      raw = line.find(")\"") == line.npos && line.find(")sh\"") == line.npos;
      return;
    }
    if (where.find(".cpp:") != where.npos && where.find("house_rules") == where.npos && returns_early(line))
      FAIL_CHECK(where << ": a silent return; use left_out_without() of tests/left_out.hpp");
  });
}

TEST_CASE("house rules: lines of C++ have at most 110 columns") {
  CHECK(columns("µs") == 2);
  for_lines("", [&](const std::string& where, const std::string& line) {
    if (columns(line) > kColumns) FAIL_CHECK(where << ": " << columns(line) << " columns");
  });
}

TEST_CASE("house rules: a file of app/ and tests/ has at most 400 lines") {
  for (const char* top : {"app", "tests"}) {
    const auto files = lines_of_files(top);
    CHECK(files.size() > 100);
    for (const auto& [name, lines] : files)
      if (lines > kLinesPerFile)
        FAIL_CHECK(name << " has " << lines << " lines: split it by what its parts are about");
  }
}

TEST_CASE("house rules: a folder of app/ has at most 32 files") {
  CHECK(folder_complaints({{"a", 32}}, {}).empty());
  CHECK(folder_complaints({{"a", 33}}, {}).size() == 1);
  CHECK(folder_complaints({{"a", 40}}, {{"a", 40}}).empty());
  CHECK(folder_complaints({{"a", 41}}, {{"a", 40}}).size() == 1);
  CHECK(folder_complaints({{"a", 32}}, {{"a", 40}}).size() == 1);
  CHECK(folder_complaints({}, {{"a", 40}}).size() == 1);
  std::map<std::string, int> files;
  for (const auto& e : fs::recursive_directory_iterator(source_root() / "app"))
    if (e.is_regular_file()) ++files[fs::relative(e.path().parent_path(), source_root()).string()];
  CHECK(files.size() > 10);
  for (const std::string& complaint : folder_complaints(files, kLargeFolders)) FAIL_CHECK(complaint);
}

TEST_CASE("house rules: C++ is formatted as .clang-format says") {
  if (dojo::needs::left_out_without("clang-format")) return;
  test::TempFolder t;
  const auto run = [&](const std::string& line) {
    return test::shell(t, t.path.string(), "cd '" + source_root().string() + "' && " + line);
  };
  // Releases differ in what they make of the same style.
  const bool same_release = run("clang-format --version").out.find("version 14.") != std::string::npos;
  if (dojo::needs::left_out_without("clang-format 14, the release of Debian 12", same_release)) return;
  std::string list;
  test::Part part("files of C++", 4);
  for (const std::string& f : cpp_files())
    if (part.takes(f)) list += f + "\n";
  t.write("files", list);
  t.write("bad.cpp", "int  x;\n");
  const std::string check = "clang-format --dry-run --Werror --style=file:.clang-format";
  CHECK(run(check + " '" + t.path.string() + "/bad.cpp'").status != 0);
  const auto s = run("xargs -a '" + t.path.string() + "/files' -n 40 " + check);
  std::string first;  // of the complaints, without the lines of code below them
  std::istringstream err(s.err);
  for (std::string line; std::getline(err, line);)
    if (line.find(": error: ") != line.npos) first += line.substr(0, line.find(": error: ")) + "\n";
  CHECK_MESSAGE(s.status == 0, "run clang-format -i on these files:\n" << first);
}
