#include <doctest/doctest.h>

#include "core/files/whole_file.hpp"
#include "core/paths.hpp"
#include "run/worker/compile_apart.hpp"

using namespace dojo;

// With NVRTC 13.0, what a process compiles after a compilation with -G comes out otherwise than before it.
TEST_CASE("compiling for debugging leaves no trace in what is compiled next") {
  CompileRequest r;
  r.file = "policy.cu";
  r.source = read_or_empty(source_root() / "reference" / "06-cusync" / "10-own-policy.cu");
  const Compiled before = run::compile_apart(r);
  REQUIRE(before.ok);
  r.debug = true;
  const Compiled debug = run::compile_apart(r);
  CHECK(debug.ok);
  CHECK(debug.ptx != before.ptx);
  r.debug = false;
  CHECK(run::compile_apart(r).ptx == before.ptx);
}
