// Programs compiled lately are not compiled again (run/compile_memory.hpp).
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "run/compile_memory.hpp"

using namespace dojo;

namespace {

/// Counts what it is asked to compile; refuses the text "wrong".
struct Counting {
  int asked = 0;
  run::Compile compile() {
    return [this](const CompileRequest& r) {
      ++asked;
      Compiled c;
      c.ok = r.source != "wrong";
      c.ptx = r.arch + ": " + r.source;
      return c;
    };
  }
};

CompileRequest text(const std::string& source) {
  CompileRequest r;
  r.source = source;
  return r;
}

}  // namespace

TEST_CASE("a program compiled lately is not compiled again; another text, architecture or debug form is") {
  Counting counting;
  const run::Compile compile = run::remembering(counting.compile());
  CHECK(compile(text("a")).ptx == "compute_90: a");
  CHECK(compile(text("a")).ptx == "compute_90: a");
  CHECK(counting.asked == 1);
  CompileRequest other = text("a");
  other.arch = "compute_75";
  CHECK(compile(other).ptx == "compute_75: a");
  other = text("a");
  other.debug = true;
  compile(other);
  other = text("a");
  other.defines = {"N=4"};
  compile(other);
  other = text("a");
  other.file = "b.cu";
  compile(other);
  compile(text("b"));
  CHECK(counting.asked == 6);
  CHECK(compile(text("a")).ptx == "compute_90: a");
  CHECK(counting.asked == 6);
}

TEST_CASE("what does not compile, and programs with files beside them, are compiled each time") {
  Counting counting;
  const run::Compile compile = run::remembering(counting.compile());
  CHECK(!compile(text("wrong")).ok);
  CHECK(!compile(text("wrong")).ok);
  CHECK(counting.asked == 2);
  CompileRequest program = text("a");
  program.program = true;
  compile(program);
  compile(program);
  CHECK(counting.asked == 4);
}

TEST_CASE("of programs compiled lately the one asked for longest ago is forgotten first") {
  Counting counting;
  const run::Compile compile = run::remembering(counting.compile(), 2);
  for (const char* source : {"a", "b", "a", "c"}) compile(text(source));  // b goes
  CHECK(counting.asked == 3);
  compile(text("a"));
  CHECK(counting.asked == 3);
  compile(text("b"));
  CHECK(counting.asked == 4);
}

TEST_CASE("what one front end compiled is not given for another") {
  const char* const before = std::getenv("WARPDOJO_FRONT_END");
  const std::string kept = before ? before : "";
  Counting counting;
  const run::Compile compile = run::remembering(counting.compile());
  for (const char* front_end : {"nvrtc", "clang", "nvrtc"}) {
    setenv("WARPDOJO_FRONT_END", front_end, 1);
    compile(text("a"));
  }
  CHECK(counting.asked == 2);
  if (before)
    setenv("WARPDOJO_FRONT_END", kept.c_str(), 1);
  else
    unsetenv("WARPDOJO_FRONT_END");
}
