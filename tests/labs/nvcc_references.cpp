// Every reference also compiles with plain nvcc, next to the main that labs/include/standalone.hpp provides:
// its host code, its kernels, and the call of its entry. A lab's references are compiled together, each in a
// namespace of its own, as most of nvcc's time goes into the headers.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "../left_out.hpp"
#include "../whole_suite.hpp"
#include "core/files/whole_file.hpp"
#include "core/labs/lab.hpp"
#include "core/paths.hpp"

namespace {

namespace fs = std::filesystem;

/// One translation unit of a lab's references. Their includes come first, outside of the namespaces.
std::string together(const dojo::Catalog& catalog, const dojo::Lab& lab) {
  std::set<std::string> includes;
  std::string body;
  int number = 0;
  for (const dojo::Step& step : lab.steps) {
    const fs::path file = catalog.reference_file(step);
    std::istringstream lines(dojo::read_or_empty(file));
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("#include")) includes.insert(line);
    const std::string name = "step" + std::to_string(number++);
    body += "namespace " + name + " {\n#include \"" + file.string() + "\"\n}\n";
    body += "int main_" + name + "(int argc, char** argv) { return standalone::run(" + name +
            "::" + step.entry + ", \"" + step.entry + "\", argc, argv); }\n";
  }
  std::string head = "#include \"standalone.hpp\"\n#include <cmath>\n";
  for (const std::string& i : includes) head += i + "\n";
  return head + body;
}

/// A private folder that goes away with the test.
struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "warpdojo-nvcc-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() {
    std::error_code ec;
    fs::remove_all(path, ec);
  }
};

/// Runs nvcc; returns what it said when it failed, else nothing.
std::string compile(const fs::path& nvcc, const fs::path& include, const fs::path& source,
                    const std::string& more) {
  const fs::path log = source.string() + ".log", out = source.string() + ".o";
  const std::string command = "'" + nvcc.string() +
                              "' -std=c++17 -arch=sm_90 -Xptxas -O0 -Xcompiler -O0 -c -x cu -I'" +
                              include.string() + "' " + more + " '" + source.string() + "' -o '" +
                              out.string() + "' >'" + log.string() + "' 2>&1";
  if (std::system(command.c_str()) == 0 && fs::exists(out)) return {};
  return command + "\n" + dojo::read_or_empty(log).substr(0, 4000);
}

fs::path find_nvcc() { return dojo::cuda_root() / "bin" / "nvcc"; }

}  // namespace

TEST_CASE("every reference compiles with nvcc next to the standalone main") {
  const fs::path nvcc = find_nvcc();
  if (dojo::needs::left_out_without("the toolkit's nvcc", fs::exists(nvcc))) return;
  const dojo::Catalog catalog = dojo::load_catalog(dojo::source_root());
  const Folder folder;
  const fs::path include = catalog.root / "labs" / "include";
  struct Job {
    std::string lab;
    fs::path source;
  };
  std::vector<Job> jobs;
  dojo::test::Part part("labs", 12);
  for (const dojo::Lab& lab : catalog.labs) {
    if (!part.takes(lab.name)) continue;
    const fs::path source = folder.path / (lab.name + ".cu");
    std::ofstream(source) << together(catalog, lab);
    jobs.push_back({lab.name, source});
  }
  REQUIRE(part.seen() > 20);
  CHECK(!jobs.empty());
  std::atomic<size_t> next{0};
  std::vector<std::string> said(jobs.size());
  auto work = [&] {
    for (size_t i; (i = next++) < jobs.size();) said[i] = compile(nvcc, include, jobs[i].source, "");
  };
  std::thread other(work);
  work();
  other.join();
  for (size_t i = 0; i < jobs.size(); ++i) {
    INFO(jobs[i].lab);
    CHECK(said[i] == "");
  }
}

TEST_CASE("the command of docs/standalone.md compiles a single student file") {
  const fs::path nvcc = find_nvcc();
  if (dojo::needs::left_out_without("the toolkit's nvcc", fs::exists(nvcc))) return;
  const dojo::Catalog catalog = dojo::load_catalog(dojo::source_root());
  const Folder folder;
  const fs::path include = catalog.root / "labs" / "include";
  const dojo::Step& step = catalog.find("conv1d/shared");
  // The header is the translation unit, the lab's file is included before it.
  const fs::path source = folder.path / "standalone.hpp";
  fs::copy_file(include / "standalone.hpp", source);
  CHECK(compile(nvcc, include, source,
                "-include '" + catalog.student_file(step).string() + "' -DENTRY=" + step.entry) == "");
  CHECK(compile(nvcc, include, source,
                "-include '" + catalog.student_file(step).string() + "' -DENTRY=no_such") != "");
}
