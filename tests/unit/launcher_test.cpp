// The launcher with a build that is up to date: it must get out of the way.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include "shell.hpp"

using namespace dojo;
using namespace dojo::test;

TEST_CASE("an up-to-date build is started at once, with the arguments and its exit status passed on") {
  TempFolder t;
  const auto program =
      t.write("build/warpdojo", "#!/bin/sh\necho \"ran [$1] [$2] root=$WARPDOJO_ROOT\"\nexit 7\n");
  chmod(program.c_str(), 0755);
  t.write("build/.stamp", "release");
  const std::string launcher = (source_root() / "warpdojo").string();
  // Newer than every source, whatever the clock of the checkout says.
  const Shell s = shell(t, t.path.string(),
                        "touch -d '+1 day' '" + t.path.string() +
                            "/build/.stamp'; unset WARPDOJO_PRESET; WARPDOJO_BUILD='" + t.path.string() +
                            "/build' '" + launcher + "' 'a b' c");
  CHECK(s.out == "ran [a b] [c] root=" + source_root().string() + "\n");
  CHECK(s.status == 7);
  CHECK(s.err.empty());
}

TEST_CASE("a call that needs more than the program builds it first; later ones start at once") {
  struct Call {
    std::string arguments, target;
  };
  for (const Call& c :
       {Call{"exec first", " exec_libraries"}, Call{"--compiler clang app", " warpdojo-window"},
        Call{"", " warpdojo-window"}, Call{"grade handed-in", " warpdojo-verdicts"}}) {
    CAPTURE(c.arguments);
    TempFolder t;
    const std::string root = t.path.string(), build = root + "/build";
    const auto program = t.write("build/warpdojo", "#!/bin/sh\necho ran $*\n");
    chmod(program.c_str(), 0755);
    // Stands in for a build: prints its targets.
    const auto cmake = t.write("bin/cmake", "#!/bin/sh\necho \"built $*\" >&2\n");
    chmod(cmake.c_str(), 0755);
    t.write("build/build.ninja", "");
    t.write("build/.stamp", "release");
    const std::string start = "PATH='" + root + "/bin':$PATH WARPDOJO_BUILD='" + build + "' '" + root +
                              "/co/warpdojo' ",
                      stamp = "touch -d '+1 day' build/.stamp" +
                              (c.target.empty() ? "" : "-" + c.target.substr(1));
    const Shell s = shell(
        t, root,
        "cd " + root +
            "; mkdir co; sed 's#^install_missing() {#&\\n  return 0#; s#^find_cuda() {#&\\n  return 0#' '" +
            (source_root() / "warpdojo").string() +
            "' >co/warpdojo; chmod +x co/warpdojo; touch -d '+1 day' build/.stamp; "
            "unset WARPDOJO_PRESET; " +
            start + "list; " + start + c.arguments + "; cat build/build.log; " + stamp + "; " + start +
            c.arguments);
    const std::string ran = "ran" + (c.arguments.empty() ? "" : " " + c.arguments) + "\n";
    CHECK(s.out ==
          "ran list\n" + ran + "built --build " + build + " --target warpdojo" + c.target + "\n" + ran);
    CHECK(s.err == "warpdojo: building (the first time takes a few minutes)\n");
  }
}

TEST_CASE("without a CUDA Toolkit the launcher says what to install and ends with 2") {
  TempFolder t;
  const std::string launcher = (source_root() / "warpdojo").string();
  // A copy of the launcher alone: nothing built, and no toolkit where it looks.
  const Shell s =
      shell(t, t.path.string(),
            "mkdir -p '" + t.path.string() +
                "/co'; sed 's#/usr/local/cuda#/nowhere#; s#^install_missing() {#&\\n  return 0#' '" +
                launcher + "' >'" + t.path.string() + "/co/warpdojo'; chmod +x '" + t.path.string() +
                "/co/warpdojo'; unset CUDAToolkit_ROOT CUDA_HOME WARPDOJO_BUILD; '" + t.path.string() +
                "/co/warpdojo' list");
  CHECK(s.status == 2);
  CHECK(s.err.find("CUDA Toolkit") != std::string::npos);
}
