#pragma once
// A class's folder as the tests of intake write it, and what is found in it.
#include <algorithm>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "grade/intake/archive.hpp"
#include "grade/intake/intake.hpp"
#include "small_class.hpp"

namespace dojo::test_intake {

using namespace dojo::grade;

/// A class's folder, and the catalog of this checkout.
struct Tree {
  test::Folder folder;
  fs::path path = folder.path;
  Catalog catalog = load_catalog(DOJO_TEST_ROOT);
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name, std::ios::binary) << text;
  }
  Intake take(const IntakeOptions& options = {}) const { return take_in({path.string()}, catalog, options); }
  /// What stands for a student's step; empty: nothing.
  std::string text(const Intake& in, const std::string& student, const std::string& step) const {
    for (const Submission& s : in.submissions)
      if (s.student == student) {
        const Step& at = catalog.find(step);
        return read_handed_in(s, at, catalog.lab_of(at)).text;
      }
    return "no such student";
  }
};

inline std::vector<std::string> students(const Intake& in) {
  std::vector<std::string> names;
  for (const auto& s : in.submissions) names.push_back(s.student);
  return names;
}

inline bool told(const Intake& in, const std::string& words) {
  return std::any_of(in.notes.begin(), in.notes.end(),
                     [&](const std::string& n) { return n.find(words) != std::string::npos; });
}

inline std::string zip(std::vector<std::pair<std::string, std::string>> files) {
  std::vector<Entry> entries;
  for (auto& [name, text] : files) entries.push_back({name, text, 1000000000});
  return zip_of(entries);
}

}  // namespace dojo::test_intake
