// What a student reads in a handout: its pages, its README and its list of steps.
#include <doctest/doctest.h>

#include <regex>

#include "grade/course/handout.hpp"
#include "small_class.hpp"

using namespace dojo;
using namespace dojo::test;

namespace {

/// A handout of one step of this checkout.
struct OneStep {
  Folder folder;
  fs::path made = folder.path / "handout";
  explicit OneStep(const std::string& step) {
    const fs::path course = folder.path / "course.toml";
    std::ofstream(course) << "title = 'One'\n[[step]]\nstep = '" << step << "'\n";
    grade::make_handout(load_catalog(DOJO_TEST_ROOT), made.string(), {course.string(), 0, false});
  }
};

/// "PAGE: TARGET" for each link of a page to a file that is not there.
std::vector<std::string> dead_links(const fs::path& folder) {
  static const std::regex link(R"(\]\(([^)# ]*)(#[^) ]*)?\))");
  std::vector<std::string> dead;
  for (const auto& e : fs::recursive_directory_iterator(folder)) {
    if (e.path().extension() != ".md" || e.path().string().find("/labs/") != std::string::npos) continue;
    const std::string text = read_or_empty(e.path());
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it)
      if (const std::string target = (*it)[1]; !target.empty() && target.find("://") == std::string::npos &&
                                               !fs::exists(e.path().parent_path() / target))
        dead.push_back(e.path().filename().string() + ": " + target);
  }
  return dead;
}

}  // namespace

TEST_CASE("a handout has the pages for students, and every link in them leads somewhere") {
  const OneStep h("scan/4");
  for (const char* page : {"student.md", "labs.md", "glossary.md", "findings.md", "cli.md", "exec.md",
                           "clang.md", "pictures/student.png"})
    CHECK_MESSAGE(fs::exists(h.made / "docs" / page), page);
  CHECK(dead_links(h.made) == std::vector<std::string>());
  // The test sees links: the checkout has some that do not go along.
  CHECK(read_or_empty(h.made / "docs/cli.md").find("](exec.md)") != std::string::npos);
  CHECK(read_or_empty(fs::path(DOJO_TEST_ROOT) / "docs/cli.md").find("](worker.md)") != std::string::npos);
}

TEST_CASE("a handout's README names the course's own first step") {
  const OneStep h("scan/4");
  const std::string readme = read_or_empty(h.made / "README.md");
  const Step& first = load_catalog(DOJO_TEST_ROOT).find("scan/4");
  for (const std::string& words :
       {std::string("./warpdojo watch scan "), "./warpdojo run " + first.id() + " ",
        "./warpdojo hint " + first.id() + " ", std::string("](docs/student.md)")})
    CHECK_MESSAGE(readme.find(words) != std::string::npos, words);
  CHECK(readme.find("reduce") == std::string::npos);
  CHECK(readme.find('{') == std::string::npos);
  std::vector<size_t> columns;
  for (size_t at = 0; (at = readme.find("\n./warpdojo", at)) != std::string::npos; ++at)
    columns.push_back(readme.find('#', at) - at);
  REQUIRE(columns.size() == 5);
  for (size_t c : columns) CHECK(c == columns[0]);
}

TEST_CASE("steps that gates compare with are in no list of a handout") {
  const OneStep h("reduce/5");
  const fs::path log = h.folder.path / "log";
  const Environment root("WARPDOJO_ROOT", h.made.string());
  const Environment progress("XDG_DATA_HOME", (h.folder.path / "data").string());
  const std::string program = program_path().string();
  REQUIRE(exit_status(program + " list", log) == 0);
  const std::string list = read_or_empty(log);
  CHECK(list.find("0 of 1") != std::string::npos);
  CHECK(list.find("reduce/5-sequential") != std::string::npos);
  CHECK(list.find("strided-index") == std::string::npos);
  CHECK(exit_status(program + " run reduce/4", log) == 2);
  CHECK(read_or_empty(log).find("is no step of this course") != std::string::npos);
}

TEST_CASE("the script that packs for Gradescope refuses what is no handout") {
  const Folder f;
  const fs::path log = f.path / "log", out = f.path / "a.zip";
  const fs::path script = fs::path(DOJO_TEST_ROOT) / "assets/handout/gradescope/make-zip.sh";
  CHECK(exit_status(script.string() + " --out " + out.string(), log) == 2);
  CHECK(read_or_empty(log).find("is no handout; make one (warpdojo handout DIR") != std::string::npos);
  CHECK(!fs::exists(out));
}
