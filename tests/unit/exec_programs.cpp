// Sample programs (tests/programs) that `warpdojo exec` runs as `play` does: those whose calls have a face of
// their own in app/exec.
#include <doctest/doctest.h>

#include "core/files/whole_file.hpp"
#include "exec_bench.hpp"

using namespace dojo;
using namespace dojo::exec_test;

TEST_CASE("exec: sample programs print what they print under play") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  for (const char* name : {"graph_conditions", "graph_nodes", "mipmaps"}) {
    CAPTURE(name);
    const fs::path source = source_root() / "tests" / "programs" / (std::string(name) + ".cu");
    b.t.write("p.cu", read_or_empty(source));
    const Shell s = b(build_and_run);
    CHECK(s.status == 0);
    CHECK(s.out == read_or_empty(fs::path(source).replace_extension(".expected")));
    CHECK(s.err.find("not supported") == std::string::npos);
  }
}
