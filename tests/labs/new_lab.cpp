// `warpdojo new lab NAME`: the lab that it makes runs and passes its own tests, with nothing built again.
#include <doctest/doctest.h>

#include "../unit/shell.hpp"
#include "core/labs/lab.hpp"

using namespace dojo;
namespace fs = std::filesystem;

namespace {

/// A checkout without labs: its own folders for what a new lab adds to, links for the rest.
void empty_checkout(const fs::path& from, const fs::path& to) {
  for (const char* own : {"labs", "reference", "assets/lectures", "tests/wrong"})
    fs::create_directories(to / own);
  const auto link = [&](const fs::path& name) {
    if (!fs::exists(to / name)) fs::create_symlink(from / name, to / name);
  };
  for (const char* name : {"app", "docs", "labs/include", "labs/glossary.toml"}) link(name);
  for (const auto& e : fs::directory_iterator(from / "assets"))
    link(fs::path("assets") / e.path().filename());
}

}  // namespace

TEST_CASE("a new lab passes its tests as it is made, and its name is checked") {
  test::TempFolder t;
  const fs::path root = t.path / "checkout";
  empty_checkout(find_root(), root);
  const std::string here = "export WARPDOJO_ROOT='" + root.string() + "'; ";

  const test::Shell made = test::shell(t, root.string(), here + "$W new lab warp-votes");
  CHECK_MESSAGE(made.status == 0, made.err);
  CHECK(fs::exists(root / "labs" / "00-warp-votes" / "lab.toml"));
  CHECK(fs::exists(root / "assets" / "lectures" / "warp-votes.toml"));

  const test::Shell again = test::shell(t, root.string(), here + "$W new lab warp-votes");
  CHECK(again.status != 0);
  CHECK(again.err.find("there is a lab 'warp-votes' already") != std::string::npos);
  const test::Shell bad = test::shell(t, root.string(), here + "$W new lab ../votes");
  CHECK(bad.status != 0);
  CHECK(bad.err.find("cannot name a lab") != std::string::npos);

  // The lab's own tests, all of them, by this program.
  const std::string tests =
      "unset WARPDOJO_TEST_PART WARPDOJO_LAB; " + fs::read_symlink("/proc/self/exe").string() +
      " -tce='*nvcc*' -tc='every reference*,every student*,every wrong*,every lazy*,every unconv*,"
      "every step*,every lab has*,texts: every*,texts: sentences*'";
  const test::Shell own = test::shell(t, root.string(), here + tests);
  CHECK_MESSAGE(own.status == 0, own.out);
  CHECK_MESSAGE(own.out.find(" 0 failed") != std::string::npos, own.out);
  CHECK_MESSAGE(own.out.find(" 0 passed") == std::string::npos, own.out);
}
