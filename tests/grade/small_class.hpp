#pragma once
// A class in a temporary folder, and a checkout with one small step, so that grading it takes little time.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "../sanitizers.hpp"
#include "../temp_folder.hpp"
#include "core/files/whole_file.hpp"
#include "core/labs/lab.hpp"
#include "core/paths.hpp"
#include "grade/grader.hpp"
#include "run/runner.hpp"

namespace dojo::test {

/// What a command line exits with; -1 when a signal ended it. Its output goes to `log`.
inline int exit_status(const std::string& words, const fs::path& log = "/dev/null") {
  const int status = std::system(("{ " + words + "; } >" + log.string() + " 2>&1").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Sets a variable of the environment for as long as it lives.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* v = std::getenv(name)) before_ = v, had_ = true;
    setenv(name, value.c_str(), 1);
  }
  ~Environment() {
    if (had_)
      setenv(name_, before_.c_str(), 1);
    else
      unsetenv(name_);
  }

 private:
  const char* name_;
  std::string before_;
  bool had_ = false;
};

struct SmallClass {
  static constexpr int size = 65536;
  temporary::TempFolder folder;
  fs::path path = folder.path;
  fs::path root = path / "root", people = path / "class", canary = path / "canary.txt";
  static constexpr const char* secret_words = "CANARY_7f3a_words_that_no_row_may_hold";
  Environment env_root{"WARPDOJO_ROOT", root.string()};
  Environment env_cache{"XDG_CACHE_HOME", (path / "cache").string()};

  SmallClass() {
    const fs::path from = DOJO_TEST_ROOT;
    const fs::path lab = root / "labs/01-reduce", reference = root / "reference/01-reduce";
    for (const auto& p : {lab, reference, people, path / "cache", root / "tests/wrong/01-reduce"})
      fs::create_directories(p);
    fs::copy(from / "labs/include", root / "labs/include", fs::copy_options::recursive);
    fs::copy(from / "reference/01-reduce/5-sequential.cu", reference);
    for (const char* f : {"5-sequential.cu", "5-sequential.md", "brief.md"})
      fs::copy(from / "labs/01-reduce" / f, lab);
    for (const auto& e : fs::directory_iterator(from / "tests/wrong/01-reduce"))
      if (e.path().filename().string().starts_with("5-sequential--"))
        fs::copy(e.path(), root / "tests/wrong/01-reduce");
    std::ofstream(lab / "lab.toml")
        << "name = 'reduce'\ntitle = 'Reduce'\norder = 1\n[defaults]\n"
           "device = 'simt:h100'\nsize = { n = "
        << size
        << " }\nentry = 'reduce'\narch = 'compute_75'\n[[step]]\n"
           "file = '5-sequential.cu'\ntitle = 'Sequential addressing'\npicture = 'bankmap'\n"
           "check_size = { n = 1000 }\n"
           "params = { elements_per_block = 256 }\noptions = { kind = 'partials' }\n"
           "hints = ['a', 'b']\n"
           "  [[step.gates]]\n  expr = 'shared_conflicts == 0'\n  words = 'banks'\n"
           "  [[step.gates]]\n  expr = 'instructions <= 1.3 * reference(self)'\n"
           "  words = 'work'\n";
    std::ofstream(canary) << secret_words << "\nint " << secret_words << " = ;\n";
  }

  fs::path file_of(const std::string& student) const {
    return people / student / "01-reduce" / "5-sequential.cu";
  }
  void hand_in(const std::string& student, std::string text) const {
    for (const auto& [from, to] : {std::pair{std::string("@CANARY@"), canary.string()},
                                   std::pair{std::string("@SIZE@"), std::to_string(size)}})
      for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    fs::create_directories(file_of(student).parent_path());
    std::ofstream(file_of(student), std::ios::binary) << text;
  }
  std::string solution() const { return read_or_empty(root / "reference/01-reduce/5-sequential.cu"); }
  Catalog catalog() const { return load_catalog(root); }
  /// Both workers busy, short limits, and all layers that this machine has.
  grade::GradeOptions options(const Catalog& c) const {
    grade::GradeOptions o;
    o.course = grade::whole_catalog(c);
    o.course.seeds = 1;
    o.course.time_limit_s = 4;
    o.course.compile_limit_s = 4;
    o.course.memory_mb = 1024;
    o.secret = "a secret of tests";
    o.jobs = 2;
    o.sandbox = run::probe_sandbox(program_path().string(), run::whole_sandbox());
    return o;
  }
  std::vector<grade::Row> grade(const grade::GradeOptions& o, const Catalog& c) const {
    return grade::grade_all(c, grade::find_submissions({people.string()}, c), o);
  }
};

/// The test cases of docs/instructor.md: its block of C++ that includes the harness.
inline std::string example_of_the_docs() {
  const std::string page = read_or_empty(fs::path(DOJO_TEST_ROOT) / "docs/instructor.md");
  const size_t begin = page.find("```cpp\n#include \"grade/harness.hpp\"");
  if (begin == std::string::npos) return {};
  const size_t from = page.find('\n', begin) + 1, to = page.find("\n```", from);
  return page.substr(from, to - from + 1);
}

using Folder = temporary::TempFolder;

}  // namespace dojo::test
